import type { Entry } from '../ledger/entry.js';
import type { Draw } from './pool.repository.js';

/** What some entries of the ledger draw, one sum per account. */
export function drawsOf(entries: readonly Entry[]): Draw[] {
  const draws = new Map<string, Draw>();
  for (const { accountId, resource, quantity } of entries) {
    const { storageBytes, bandwidthBytes } = draws.get(accountId) ?? { storageBytes: 0, bandwidthBytes: 0 };
    draws.set(accountId, {
      accountId,
      storageBytes: storageBytes + (resource === 'storage' ? quantity : 0),
      bandwidthBytes: bandwidthBytes + (resource === 'bandwidth' ? quantity : 0),
      seats: 0,
    });
  }
  return [...draws.values()];
}
