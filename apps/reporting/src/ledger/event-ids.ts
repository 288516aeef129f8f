/**
 * The lowest UUID whose first 48 bits are this time in epoch milliseconds. Ids of events are UUIDs of version 7 (RFC 9562),
 * so the entries since a time are a range of the ledger's primary key.
 */
export function lowestIdAt(epochMs: number): string {
  const time = Math.floor(epochMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Above all ids. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
