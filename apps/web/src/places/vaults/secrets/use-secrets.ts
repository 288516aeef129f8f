import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, type Schema } from '@vaultsvc/client';
import { errorText } from '../../../api/error-text.js';
import { secretsTexts as texts } from '../../../texts/secrets.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { vaultKeys } from '../open/vault-queries.js';

/** The most that the API examines. */
export const SETS_MAX = 500;

/** The sets of secrets of the vault: their names. */
export function useSets() {
  const { client, vaultId } = useOpenVault();
  return useQuery({
    queryKey: vaultKeys.secrets(vaultId),
    queryFn: async ({ signal }) => {
      const params = { path: { vault_id: vaultId }, query: { limit: SETS_MAX } };
      const path = '/v1/products/structured-ingots/{vault_id}';
      return (await client.GET(path, { params, signal })).data.ingots;
    },
  });
}

/** The names of the secrets of a set; never their values. */
export function useSecretNames(ingotId: string) {
  const { client, vaultId } = useOpenVault();
  return useQuery({
    queryKey: [...vaultKeys.secrets(vaultId), ingotId],
    queryFn: async ({ signal }) => {
      const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
      const path = '/v1/products/structured-ingots/{vault_id}/{ingot_id}';
      const { name = '', keys = [] } = (await client.GET(path, { params, signal })).data;
      return { name, keys };
    },
  });
}

/** Changes secrets of a set. Rejects with the refusal. */
export function useChangeSecrets(ingotId: string) {
  const { client, vaultId } = useOpenVault();
  const queries = useQueryClient();
  return async (body: Schema<'StructuredChange'>): Promise<void> => {
    const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
    await client.PATCH('/v1/products/structured-ingots/{vault_id}/{ingot_id}', { params, body });
    await queries.invalidateQueries({ queryKey: vaultKeys.secrets(vaultId) });
  };
}

/** The sentence for a refused change. */
export function changeProblem(error: unknown): string {
  return error instanceof ApiError && error.status === 412 ? texts.overtaken : errorText(error);
}
