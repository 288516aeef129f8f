import { useQuery } from '@tanstack/react-query';
import { pages, type Schema } from '@vaultsvc/client';
import { useOpenVault } from '../open/use-open-vault.js';
import { vaultKeys } from '../open/vault-queries.js';

export type Ingot = Schema<'Ingot'>;
export type Folder = Schema<'Folder'>;

const PAGE = 200;
/** More are found by a search. */
const FILES_MAX = 2_000;
const FOLDERS_PAGE = 500;

/** How soon a file in this state may have changed. */
const pollMs: Partial<Record<Ingot['status'], number>> = { encrypting: 2_000, uploading: 5_000 };

export interface Files {
  readonly files: readonly Ingot[];
  /** Whether the vault has more. */
  readonly isPartial: boolean;
}

/** The newest files of the vault, in all folders; structured secrets are on their own page. */
export function useFiles() {
  const vault = useOpenVault();
  return useQuery({
    queryKey: vaultKeys.files(vault.vaultId),
    queryFn: async ({ signal }): Promise<Files> => {
      const files: Ingot[] = [];
      let isPartial = false;
      const params = { path: { vault_id: vault.vaultId }, query: { limit: PAGE } };
      for await (const page of pages(vault.client, '/v1/vaults/{vault_id}/ingots/search', {
        params,
        signal,
      })) {
        files.push(...page.ingots.filter(isFile));
        isPartial = page.has_more;
        if (files.length >= FILES_MAX) break;
      }
      return { files, isPartial };
    },
    refetchInterval: ({ state }) => pollOf(state.data?.files ?? []),
  });
}

/** Files by the beginning of their names, for vaults with more than are listed. */
export function useFound(text: string, isEnabled: boolean) {
  const vault = useOpenVault();
  return useQuery({
    queryKey: [...vaultKeys.files(vault.vaultId), 'found', text],
    enabled: isEnabled && text !== '',
    queryFn: async ({ signal }) => {
      const params = { path: { vault_id: vault.vaultId }, query: { q: text, limit: PAGE } };
      const { data } = await vault.client.GET('/v1/vaults/{vault_id}/ingots/search', { params, signal });
      return data.ingots.filter(isFile);
    },
  });
}

/** All folders of the vault. */
export function useFolders() {
  const vault = useOpenVault();
  return useQuery({
    queryKey: vaultKeys.folders(vault.vaultId),
    queryFn: async ({ signal }) => {
      const folders: Folder[] = [];
      const params = { path: { vault_id: vault.vaultId }, query: { limit: FOLDERS_PAGE } };
      for await (const page of pages(vault.client, '/v1/vaults/{vault_id}/folders', { params, signal }))
        folders.push(...page.folders);
      return folders;
    },
  });
}

function pollOf(files: readonly Ingot[]): number | false {
  const waits = files.flatMap(({ status }) => pollMs[status] ?? []);
  return waits.length > 0 && Math.min(...waits);
}

const isFile = ({ managed_by: product }: Ingot) => product === null;
