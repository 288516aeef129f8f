import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pages, type Schema } from '@vaultsvc/client';
import { useOpenVault } from '../open/use-open-vault.js';
import { vaultKeys } from '../open/vault-queries.js';

export type Ingot = Schema<'Ingot'>;
export type Folder = Schema<'Folder'>;

const PAGE = 200;
const FOLDERS_PAGE = 500;

/** How soon a file in this state may have changed. */
const pollMs: Partial<Record<Ingot['status'], number>> = { encrypting: 2_000, uploading: 5_000 };

/**
 * The files of a folder by their names, page by page; with a search those of all folders whose names have its text. Structured secrets
 * are on their own page.
 */
export function useFiles(folderId: string | null, search: string) {
  const vault = useOpenVault();
  const filter = search === '' ? { folder_id: folderId ?? 'root' } : { contains: search };
  return useInfiniteQuery({
    queryKey: [...vaultKeys.files(vault.vaultId), filter],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filter, limit: PAGE, cursor, sort_by: 'name', sort_order: 'asc' } as const;
      const params = { path: { vault_id: vault.vaultId }, query };
      const { data } = await vault.client.GET('/v1/vaults/{vault_id}/ingots/search', { params, signal });
      return { files: data.ingots.filter(isFile), next: data.next_cursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // The former hits stay while a longer text is searched.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollOf(state.data?.pages.flatMap(({ files }) => files) ?? []),
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
