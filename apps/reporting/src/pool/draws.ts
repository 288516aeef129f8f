import type { Entry } from '../ledger/entry.js';
import type { Draw } from './pool.repository.js';

/** What entries of the ledger draw. Operations draw nothing. */
export function drawsOf(entries: readonly Entry[]): Draw[] {
  return entries.map(({ accountId, resource, quantity }) => ({
    accountId,
    storageBytes: resource === 'storage' ? quantity : 0,
    bandwidthBytes: resource === 'bandwidth' ? quantity : 0,
  }));
}
