import type { ApiResponse } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';

/** The used bytes of the account's pools, from a billable call. Its answer has none when reporting is late. */
export async function usedPools(
  call: () => Promise<ApiResponse>,
): Promise<{ storage: number; bandwidth: number }> {
  const pools = await eventually(
    async () => {
      const { meta } = await call();
      return meta && 'pools' in meta ? meta.pools : undefined;
    },
    (found) => found !== undefined,
  );
  if (!pools) throw new Error('an answer without pools');
  return { storage: pools.storage.used, bandwidth: pools.bandwidth.used };
}
