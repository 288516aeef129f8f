import type { ApiResponse } from '@vaultsvc/testing/http';

/** The used bytes of the account's pools, from the answer to a billable call. */
export function usedPools({ meta }: ApiResponse): { storage: number; bandwidth: number } {
  if (!meta || !('pools' in meta) || !meta.pools) throw new Error('an answer without pools');
  return { storage: meta.pools.storage.used, bandwidth: meta.pools.bandwidth.used };
}
