import type { Delivery, Event } from '@vaultsvc/contracts';
import { bytesDiscarded, bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import { sparkCreated, sparkDeleted, sparkExpired, sparkRead } from '@vaultsvc/contracts/sparks';
import {
  ingotCreated,
  structuredCreated,
  structuredDeleted,
  structuredOverwritten,
  structuredRemoved,
  structuredUpdated,
  vaultCreated,
  vaultDeleted,
  versionActivated,
  versionReleased,
} from '@vaultsvc/contracts/vaults';
import type { Entry } from '../ledger/ledger.repository.js';
import { hourOf } from './windows.js';

const none = {
  operations: 0,
  sparksCreated: 0,
  sparksBurned: 0,
  sparksDeleted: 0,
  sparksExpired: 0,
  vaultsCreated: 0,
  vaultsDeleted: 0,
  ingotsCreated: 0,
  /** Change of the number of ingots with content, and of their bytes. */
  ingots: 0,
  ingotBytes: 0,
  downloads: 0,
  transferredBytes: 0,
  /** Draws from the bandwidth pool, those of Sparks, links and structured ingots included. */
  bandwidthBytes: 0,
};
type Counts = typeof none;

/** What events of one account that occurred in one hour add to its counters. */
export interface UsageCounts extends Readonly<Counts> {
  readonly accountId: string;
  /** Hours since the Unix epoch. */
  readonly hour: number;
}

interface OfAccount {
  readonly account_id: string;
}
type Rule = readonly [name: string, count: (counts: Counts, payload: never) => void];

function rule<P extends OfAccount>(event: Event<P>, count: (counts: Counts, payload: P) => void): Rule {
  return [event.name, count];
}

/**
 * What each event adds to the counters of its account. An ingot counts while it has content, as in its vault: from the
 * activation of a version to the release of that version, by a deletion or by the job that removes a deleted vault. A replaced
 * version is released too. An upload that never completes activates none.
 */
const rules: ReadonlyMap<string, Rule[1]> = new Map<string, Rule[1]>([
  rule(sparkCreated, (counts) => void (counts.sparksCreated += 1)),
  rule(sparkRead, (counts) => void (counts.sparksBurned += 1)),
  rule(sparkDeleted, (counts) => void (counts.sparksDeleted += 1)),
  rule(sparkExpired, (counts) => void (counts.sparksExpired += 1)),

  rule(vaultCreated, (counts) => void (counts.vaultsCreated += 1)),
  rule(vaultDeleted, (counts) => void (counts.vaultsDeleted += 1)),

  rule(ingotCreated, (counts) => void (counts.ingotsCreated += 1)),
  rule(versionActivated, (counts, { size_bytes }) => addIngots(counts, 1, size_bytes)),
  rule(versionReleased, (counts, { size_bytes }) => addIngots(counts, -1, -size_bytes)),
  rule(structuredCreated, (counts, { stored_bytes }) => {
    counts.ingotsCreated += 1;
    addIngots(counts, 1, stored_bytes);
  }),
  rule(structuredOverwritten, (counts, { stored_bytes }) => addIngots(counts, 0, stored_bytes)),
  rule(structuredUpdated, (counts, { stored_bytes }) => addIngots(counts, 0, stored_bytes)),
  rule(structuredDeleted, (counts, { size_bytes }) => addIngots(counts, -1, -size_bytes)),
  rule(structuredRemoved, (counts, { size_bytes }) => addIngots(counts, -1, -size_bytes)),

  rule(uploadFinalized, (counts, { size_bytes }) => void (counts.transferredBytes += size_bytes)),
  rule(uploadEnded, (counts, { received_bytes }) => void (counts.transferredBytes += received_bytes)),
  rule(bytesDiscarded, (counts, { bytes }) => void (counts.transferredBytes += bytes)),
  rule(bytesSent, (counts, { bytes, downloads }) => {
    counts.transferredBytes += bytes;
    counts.downloads += downloads;
  }),
]);

function addIngots(counts: Counts, ingots: number, bytes: number): void {
  counts.ingots += ingots;
  counts.ingotBytes += bytes;
}

/**
 * The counts of a batch, one row for each account and hour in which its events occurred. `entries`: the ledger entries of the
 * batch, some of which are operations or draw bandwidth.
 */
export function usageCountsOf(deliveries: readonly Delivery[], entries: readonly Entry[]): UsageCounts[] {
  const groups = new Map<string, Counts & Pick<UsageCounts, 'accountId' | 'hour'>>();
  const groupOf = (accountId: string, occurredAtMs: number) => {
    const hour = hourOf(occurredAtMs);
    const key = `${accountId} ${hour}`;
    const group = groups.get(key) ?? { accountId, hour, ...none };
    groups.set(key, group);
    return group;
  };
  for (const { name, occurredAtMs, payload } of deliveries)
    rules.get(name)?.(groupOf((payload as OfAccount).account_id, occurredAtMs), payload as never);
  for (const { accountId, occurredAtMs, isOperation, bandwidthBytes } of entries) {
    if (!isOperation && !bandwidthBytes) continue;
    const group = groupOf(accountId, occurredAtMs);
    if (isOperation) group.operations += 1;
    group.bandwidthBytes += bandwidthBytes ?? 0;
  }
  return [...groups.values()];
}
