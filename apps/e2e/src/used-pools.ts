import type { ApiResponse } from '@vaultsvc/testing/http';

/** What the account has used of its pools, in bytes, as the answer to a billable call shows it. */
export function usedPools({ meta }: ApiResponse): { storage: number; bandwidth: number } {
  if (!meta || !('pools' in meta) || !meta.pools) throw new Error('an answer without pools');
  return { storage: meta.pools.storage.used, bandwidth: meta.pools.bandwidth.used };
}
