import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useClient } from '../../../session/session-context.js';

/** Often enough to notice that somebody else has sealed the vault. */
const LOOK_MS = 15_000;

/** Keys of the queries of this place; what a vault holds is below `inside`, which is forgotten when the vault is locked. */
export const vaultKeys = {
  list: ['vaults'],
  one: (vaultId: string) => ['vaults', vaultId],
  inside: (vaultId: string) => ['vaults', vaultId, 'inside'],
  files: (vaultId: string) => ['vaults', vaultId, 'inside', 'files'],
  folders: (vaultId: string) => ['vaults', vaultId, 'inside', 'folders'],
  secrets: (vaultId: string) => ['vaults', vaultId, 'inside', 'secrets'],
  activity: (vaultId: string) => ['vaults', vaultId, 'inside', 'activity'],
  keys: (vaultId: string) => ['vaults', vaultId, 'keys'],
} as const;

/** The vault in the address of the page. */
export function useVaultId(): string {
  const { vaultId } = useParams({ strict: false }) as { readonly vaultId?: string };
  if (vaultId === undefined) throw new Error('The address names no vault.');
  return vaultId;
}

/** The vaults of the organization, page by page. */
export function useVaults() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: vaultKeys.list,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 100, cursor: pageParam };
      return (await client.GET('/v1/vaults', { params: { query }, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

/** A vault as everybody of the organization sees it. */
export function useVault(vaultId: string, { isWatched = false } = {}) {
  const client = useClient();
  return useQuery({
    queryKey: vaultKeys.one(vaultId),
    queryFn: async ({ signal }) => {
      const path = { vault_id: vaultId };
      return (await client.GET('/v1/vaults/{vault_id}', { params: { path }, signal })).data;
    },
    refetchInterval: isWatched ? LOOK_MS : false,
  });
}
