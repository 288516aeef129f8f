import { describe, expect, it } from '@jest/globals';
import type { Delivery, Event } from '@vaultsvc/contracts';
import { accountCreated, apiKeyCreated, userAdded } from '@vaultsvc/contracts/auth';
import { sparkCreated, sparkRead } from '@vaultsvc/contracts/sparks';
import { dvakCreated, vaultCreated, vaultDeleted } from '@vaultsvc/contracts/vaults';
import { FIRST_PREV_HASH } from '@vaultsvc/transparency';
import { linkEntries } from '../../../apps/reporting/src/audit/audit-chain.js';
import { auditRecordsOf } from '../../../apps/reporting/src/audit/audit-rules.js';
import { auditDeviations } from './audit-deviations.js';
import type { RecordedEntry, RecordedState } from './recorded-state.js';
import { deviationsIn, linesOf } from './reporting-deviations.js';

const accountId = 'acc_1';
const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;
let events = 0;

function delivery<P extends object>({ name }: Event<P>, payload: NoInfer<P>): Delivery {
  const number = ++events;
  return {
    id: `event ${number}`,
    name,
    accountId,
    requestId: `req_${number}`,
    occurredAtMs: number,
    payload,
  };
}

const spark = { spark_id: 'spk_1', account_id: accountId, size_bytes: 5, ...actor };
const ofVault = { account_id: accountId, vault_id: 'vlt_1', ...actor };
const standing: readonly Delivery[] = [
  delivery(accountCreated, { account_id: accountId }),
  delivery(userAdded, { account_id: accountId, user_id: 'usr_1' }),
  delivery(apiKeyCreated, { account_id: accountId, api_key_id: 'key_1', actor_id: 'usr_1' }),
  delivery(sparkCreated, spark),
  delivery(sparkRead, { ...spark, reader_account_id: accountId }),
  delivery(sparkCreated, { ...spark, spark_id: 'spk_2' }),
];

const counters = (hour: number | null, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([name, count]) => ({ accountId, hour, name, count }));

/** The records that reporting makes of events, applied in this order. */
function recordedOf(applied: readonly Delivery[], deliveries = applied): RecordedState {
  const first = { accountId, seq: 0, hash: FIRST_PREV_HASH };
  const { entries, head } = linkEntries(first, applied.flatMap(auditRecordsOf));
  return {
    events: deliveries,
    waiting: 0,
    deadLetters: 0,
    entries: entries.map(({ record, ...entry }) => ({
      ...entry,
      accountId,
      type: record.type,
      at: record.occurredAtMs,
      appId: null,
    })),
    heads: [head],
    ledger: applied.flatMap(linesOf),
    pools: [{ accountId, storageUsed: 5, bandwidthUsed: 15, seatsUsed: 1, stored: 5, users: 1 }],
    counters: [
      ...counters(0, { operations: 3, sparksCreated: 2 }),
      ...counters(null, { sparksCreated: 2, sparksBurned: 1 }),
    ],
    rows: [{ event: 'auth.api-key-created', field: 'api_key_id', id: 'key_1' }],
  };
}

const recorded = recordedOf(standing);
const none = { acknowledged: [], acknowledgedEntries: [] };
const changed = (change: Partial<RecordedState>) => deviationsIn({ ...recorded, ...change }, none);
const withEntry = (index: number, change: Partial<RecordedEntry>) =>
  changed({
    entries: recorded.entries.with(index, { ...(recorded.entries[index] as RecordedEntry), ...change }),
  });

describe('the comparison of an audit race', () => {
  it('finds nothing when reporting has recorded what stands', () => {
    const acknowledged = [{ event: 'sparks.read', requestId: 'req_5', isRepeatable: false }];
    expect(deviationsIn(recorded, { ...none, acknowledged })).toEqual([]);
  });

  it('finds an event without an entry, and one that was recorded twice', () => {
    const lost = recordedOf(standing.slice(0, -1), standing);
    expect(deviationsIn(lost, none).join()).toMatch(/spark_created.* occurs 0 times instead of 1/);
    const doubled = recordedOf([...standing, standing[3] as Delivery], standing);
    expect(deviationsIn(doubled, none).join()).toMatch(/spark_created.* occurs 2 times instead of 1/);
    expect(deviationsIn(doubled, none).join()).toMatch(
      /ledger line "5 storage.* occurs 2 times instead of 1/,
    );
  });

  it('finds an entry whose event does not stand', () => {
    const made = recordedOf(standing, standing.slice(0, -1));
    expect(deviationsIn(made, none).join()).toMatch(/spark_created.* occurs 1 times instead of 0/);
  });

  it('AUD-03: finds a missing or repeated entry of an integration, which has no event', () => {
    const withApp = (entries: readonly object[], acknowledgedEntries: readonly string[]) =>
      auditDeviations(
        { ...recorded, heads: [], entries: entries as readonly RecordedEntry[] },
        acknowledgedEntries,
      ).filter((deviation) => deviation.startsWith('entry of an integration'));
    const entry = { accountId, appId: 'crma', body: JSON.stringify({ event_id: 'one' }) };
    expect(withApp([entry], ['one'])).toEqual([]);
    expect(withApp([entry], [])).toEqual([]);
    expect(withApp([], ['one'])).toHaveLength(1);
    expect(withApp([entry, entry], ['one'])).toHaveLength(1);
  });

  it('finds entries that do not follow from the one before, and a head that is not the last', () => {
    expect(withEntry(1, { seq: 7 })).toEqual(['the chain of acc_1 breaks at 2']);
    expect(withEntry(1, { salt: Buffer.alloc(32) })).toEqual(['the chain of acc_1 breaks at 2']);
    const heads = [{ accountId, seq: 3, hash: Buffer.alloc(32) }];
    expect(changed({ heads })).toEqual(['the head of acc_1 is not its last entry']);
    expect(changed({ heads: [] })).toEqual(['the chain of acc_1 has no head']);
  });

  it('AUD-13: expects the entries of a deleted vault to be erased, but for its creation and deletion', () => {
    const inVault = [
      ...standing,
      delivery(vaultCreated, ofVault),
      delivery(dvakCreated, { ...ofVault, dvak_id: 'dvk_1' }),
      delivery(vaultDeleted, ofVault),
    ];
    const kept = recordedOf(inVault);
    expect(deviationsIn(kept, none).join()).toMatch(/erased dvak_created.* occurs 0 times instead of 1/);
    const entries = kept.entries.map((entry) =>
      entry.type === 'dvak_created' ? { ...entry, body: null, salt: null } : entry,
    );
    expect(auditDeviations({ ...kept, entries }, [])).toEqual([]);
  });

  it('finds pools that are not the sums of the ledger, or not what the services store', () => {
    const [pool] = recorded.pools;
    const withPool = (change: object) =>
      changed({ pools: [{ ...pool, ...change } as (typeof recorded.pools)[0]] });
    expect(withPool({ storageUsed: 6 })).toHaveLength(2);
    expect(withPool({ bandwidthUsed: 16 })).toHaveLength(1);
    expect(withPool({ stored: 6 })).toHaveLength(1);
    expect(withPool({ users: 2 })).toEqual(['seats and users of acc_1 are 1 and 2']);
  });

  it('finds counters that are not the sums of the events', () => {
    expect(changed({ counters: recorded.counters.slice(1) })).toEqual([
      'counter "3 operations of acc_1 in 0" occurs 0 times instead of 1',
    ]);
  });

  it('finds acknowledged changes and rows without an event, and work that is left', () => {
    const acknowledged = [{ event: 'sparks.read', requestId: 'req_9', isRepeatable: true }];
    expect(deviationsIn(recorded, { ...none, acknowledged })).toEqual([
      'the acknowledged sparks.read of req_9 has 0 events',
    ]);
    const rows = [{ event: 'auth.api-key-created', field: 'api_key_id', id: 'key_2' }];
    expect(changed({ rows })).toEqual(['a row shows auth.api-key-created of key_2, which has 0 events']);
    expect(changed({ waiting: 1, deadLetters: 2 })).toEqual(['1 events or jobs wait', '2 dead letters']);
  });
});
