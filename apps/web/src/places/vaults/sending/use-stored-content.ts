import { useQuery } from '@tanstack/react-query';
import type { StoredFile } from '../../../api/waiting-file.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { vaultKeys } from '../open/vault-queries.js';

const LOOK_MS = 2_000;

/**
 * Whether the vault has the content that was sent. A link opens the content of the moment in which it is made: before that it
 * would be the one that was replaced.
 */
export function useStoredContent(stored: StoredFile | undefined) {
  const { client, vaultId } = useOpenVault();
  const { ingotId = '', contentHash } = stored ?? {};
  return useQuery({
    queryKey: [...vaultKeys.inside(vaultId), 'stored', ingotId, contentHash],
    enabled: stored !== undefined,
    queryFn: async ({ signal }) => {
      const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
      const { data } = await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params, signal });
      if (data.content_hash === contentHash) return 'ready';
      return data.status === 'failed' ? 'failed' : 'storing';
    },
    refetchInterval: ({ state }) => (state.data === 'storing' && state.error === null ? LOOK_MS : false),
  });
}
