import { bodyHash, canonicalJson, entryHash, FIRST_PREV_HASH, type JsonObject } from '@vaultsvc/transparency';
import { vaultDeleted } from '@vaultsvc/contracts/vaults';
import { auditRecordsOf, type AuditRecord } from '../../../apps/reporting/src/audit/audit-rules.js';
import { bodyOf } from '../../../apps/reporting/src/audit/audit-chain.js';
import { difference } from './multiset.js';
import type { RecordedEntry, RecordedState } from './recorded-state.js';

/** Types that a deleted vault keeps in the log (AUD-13). */
const KEPT: readonly string[] = ['vault_created', 'vault_deleted'];

/**
 * Entries without an audited event, audited events without exactly one entry of each of their types, acknowledged entries of
 * integrations that are missing or doubled, and chains that do not verify.
 */
export function auditDeviations(
  { events, entries, heads }: RecordedState,
  acknowledgedEntries: readonly string[],
): string[] {
  const deleted = new Set(
    events
      .filter(({ name }) => name === vaultDeleted.name)
      .map(({ payload }) => (payload as { vault_id: string }).vault_id),
  );
  const isErased = ({ vaultId, type }: AuditRecord) =>
    vaultId !== undefined && deleted.has(vaultId) && !KEPT.includes(type);
  const expected = events
    .flatMap(auditRecordsOf)
    .map((record) =>
      isErased(record) ? erased(record.accountId, record.type, record.occurredAtMs) : textOf(record),
    );
  const found = entries.filter(({ appId }) => appId === null).map(textOfEntry);
  return [
    ...difference('entry', expected, found),
    ...appDeviations(entries, acknowledgedEntries),
    ...chainDeviations(entries, heads),
  ];
}

/** An entry whose call was not answered may be there or not. */
function appDeviations(entries: readonly RecordedEntry[], acknowledged: readonly string[]): string[] {
  const ids = entries
    .filter(({ appId }) => appId !== null)
    .map(({ body }) => (JSON.parse(body ?? '{}') as { event_id: string }).event_id);
  return difference('entry of an integration', [...new Set([...ids, ...acknowledged])], ids);
}

/** An erased entry keeps its account, type and time. */
function erased(accountId: string, type: string, at: number): string {
  return `erased ${type} of ${accountId} at ${at}`;
}

function textOf(record: AuditRecord): string {
  const { accountId, type, occurredAtMs } = record;
  return `${type} of ${accountId} at ${occurredAtMs} ${canonicalJson(bodyOf(record)).toString()}`;
}

function textOfEntry({ accountId, type, at, body }: RecordedEntry): string {
  return body === null ? erased(accountId, type, at) : `${type} of ${accountId} at ${at} ${body}`;
}

/** Every entry follows from its body and from the entry before it, and the head is the last one. */
function chainDeviations(entries: readonly RecordedEntry[], heads: RecordedState['heads']): string[] {
  const chains = chainsOf(entries);
  const headless = [...chains.keys()].filter(
    (account) => !heads.some(({ accountId }) => accountId === account),
  );
  return [
    ...headless.map((account) => `the chain of ${account} has no head`),
    ...heads.flatMap(({ accountId, seq, hash }) => {
      const chain = chains.get(accountId) ?? [];
      const broken = firstBroken(chain);
      if (broken !== undefined) return [`the chain of ${accountId} breaks at ${broken}`];
      const last = chain.at(-1);
      const isHead = seq === (last?.seq ?? 0) && hash.equals(last?.hash ?? FIRST_PREV_HASH);
      return isHead ? [] : [`the head of ${accountId} is not its last entry`];
    }),
  ];
}

function chainsOf(entries: readonly RecordedEntry[]): ReadonlyMap<string, readonly RecordedEntry[]> {
  const chains = new Map<string, RecordedEntry[]>();
  for (const entry of entries) {
    const chain = chains.get(entry.accountId);
    if (chain) chain.push(entry);
    else chains.set(entry.accountId, [entry]);
  }
  return chains;
}

/** The number of the first entry that does not follow. */
function firstBroken(chain: readonly RecordedEntry[]): number | undefined {
  let previous = FIRST_PREV_HASH;
  for (const [
    index,
    { accountId: account, seq, at, type, body, salt, bodyHash: hashed, hash },
  ] of chain.entries()) {
    const isBody =
      body === null || salt === null || bodyHash(salt, JSON.parse(body) as JsonObject).equals(hashed);
    const isNext = seq === index + 1 && entryHash(previous, { account, seq, at, type }, hashed).equals(hash);
    if (!isBody || !isNext) return index + 1;
    previous = hash;
  }
  return undefined;
}
