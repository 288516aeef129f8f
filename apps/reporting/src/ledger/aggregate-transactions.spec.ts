import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aggregateTransactions, listActivity, listTransactions } from '@vaultsvc/contracts/reporting';
import { sparkDeleted, sparkRead } from '@vaultsvc/contracts/sparks';
import { vaultSealed } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { accountContext, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import fc from 'fast-check';
import { register } from 'prom-client';
import { action, AnalyticsAccount } from '../testing/analytics.js';
import { eventIdAt, send } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';
import { ReportingConfig } from '../config.js';
import { lowestIdAt } from './event-ids.js';
import { LedgerRepository, type Entry } from './ledger.repository.js';
import { RollUpLedger } from './roll-up-ledger.job.js';
import { RollUpRepository } from './roll-up.repository.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

const DAY_MS = 86_400_000;

/** The sums by type, resource and UTC day, of original entries and of what lists show by default. */
async function sums(accountId: string): Promise<{ original: unknown[]; visible: unknown[] }> {
  const by = `type, resource, (created_at AT TIME ZONE 'UTC')::date AS day, sum(quantity)::bigint AS quantity`;
  const order = `GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  const original = await platform.sql(`SELECT ${by} FROM ledger_lines WHERE account_id = $1 ${order}`, [
    accountId,
  ]);
  const visible = await platform.sql(
    `SELECT ${by} FROM (
       SELECT type, resource, created_at, quantity FROM ledger_lines WHERE account_id = $1 AND NOT aggregated
       UNION ALL
       SELECT type, resource, created_at, quantity FROM ledger_summaries, LATERAL (VALUES
         ('storage', storage_bytes), ('bandwidth', bandwidth_bytes), ('operation', operations)) AS line (resource, quantity)
        WHERE account_id = $1 AND quantity IS NOT NULL) lines ${order}`,
    [accountId],
  );
  return { original, visible };
}

const leftOf = async (accountId: string) =>
  (await platform.sql(`SELECT 1 FROM ledger WHERE account_id = $1`, [accountId])).length;
const transactions = (account: AnalyticsAccount, include_aggregated = false) =>
  account.call(listTransactions, { query: { limit: 100, include_aggregated } });
const aggregate = (account: AnalyticsAccount) => account.call(aggregateTransactions, {});

const START = 1_790_000_000_000;

/** Uses of any day, type and resource. */
const uses = fc.array(
  fc.record({
    type: fc.constantFrom('spark_create', 'ingot_upload', 'vault_seal'),
    storageBytes: fc.option(fc.integer({ min: -1_000, max: 1_000 })),
    bandwidthBytes: fc.option(fc.integer({ min: 0, max: 1_000 })),
    occurredAtMs: fc.integer({ min: START, max: START + 3 * DAY_MS }),
  }),
  { minLength: 1, maxLength: 40 },
);
type Use = Pick<Entry, 'type' | 'storageBytes' | 'bandwidthBytes' | 'occurredAtMs'>;
const entryOf = (accountId: string, use: Use): Entry => ({
  ...use,
  accountId,
  source: 'sparks',
  eventId: eventIdAt(use.occurredAtMs),
  referenceId: null,
  vaultId: null,
  actorType: 'user',
  isOperation: true,
});

describe('RPT-32 BIL-13: rolling up the ledger', () => {
  it('keeps the sum of visible transactions exact, with concurrent inserts and two roll-ups at once', async () => {
    const { context } = platform.service;
    const append = (accountId: string, batch: readonly Use[]) =>
      context.get(LedgerRepository).append(
        context.get(Database),
        batch.map((use) => entryOf(accountId, use)),
      );
    const until = START + 2 * DAY_MS;
    const rollUpTwice = (accountId: string) =>
      Promise.all(
        platform.instances.map((one) => one.context.get(RollUpRepository).rollUp(accountId, until)),
      );
    const assertExact = async (accountId: string) => {
      const { original, visible } = await sums(accountId);
      expect(visible).toEqual(original);
    };
    const property = fc.asyncProperty(uses, fc.array(uses, { maxLength: 3 }), async (first, others) => {
      const accountId = newId('acc_');
      await append(accountId, first);
      await Promise.all([
        rollUpTwice(accountId),
        ...others.map((batch) => append(accountId, batch)),
        rollUpTwice(accountId),
      ]);
      await assertExact(accountId);
      await rollUpTwice(accountId);
      await assertExact(accountId);
      const later = [first, ...others].flat().filter(({ occurredAtMs }) => occurredAtMs > until);
      expect(await leftOf(accountId)).toBe(later.length);
    });
    await fc.assert(property, { numRuns: 50, seed: 7 });
  });

  it('hides the rolled up transactions, shows one summary per type, resource and day, and lists both on request', async () => {
    const account = new AnalyticsAccount(platform);
    const noon = Math.floor(Date.now() / DAY_MS - 3) * DAY_MS + DAY_MS / 2;
    await account.record([account.sparkCreated(), account.sparkCreated()], noon);
    await account.record([account.sparkCreated(), [sparkDeleted, account.newSpark()]], noon + DAY_MS);
    const before = await transactions(account);
    expect(before.count).toBe(7);
    expect(await aggregate(account)).toEqual({
      aggregated_count: 7,
      summary_count: 5,
      aggregated_until: expect.any(Number),
      has_more: false,
    });
    const start = (day: number) => (noon - DAY_MS / 2) / 1_000 + day * 86_400;
    const shown = await transactions(account);
    const summary = {
      unit: 'bytes',
      reference_id: null,
      vault_id: null,
      actor_type: null,
      aggregated: false,
    };
    const created = { ...summary, type: 'spark_create' };
    expect(shown.transactions).toHaveLength(5);
    expect(shown.transactions.slice(-2)).toMatchObject([
      { ...created, resource: 'storage', quantity: 20, created_at: start(0) },
      { ...created, resource: 'bandwidth', quantity: 20, created_at: start(0) },
    ]);
    expect(shown.transactions.slice(0, 3)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...created, resource: 'storage', quantity: 10, created_at: start(1) }),
        expect.objectContaining({ ...created, resource: 'bandwidth', quantity: 10, created_at: start(1) }),
        expect.objectContaining({ ...summary, type: 'spark_delete', resource: 'storage', quantity: -10 }),
      ]),
    );
    const both = (await transactions(account, true)).transactions;
    expect(both.filter(({ aggregated }) => !aggregated)).toEqual(shown.transactions);
    expect(both.filter(({ aggregated }) => aggregated)).toEqual(
      before.transactions.map((one) => ({ ...one, aggregated: true })),
    );
  });

  it('is idempotent, and adds later transactions of a day to its summary', async () => {
    const account = new AnalyticsAccount(platform);
    const at = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS; // the start of a day
    await account.record([account.sparkCreated()], at);
    await aggregate(account);
    const [{ transaction_id } = { transaction_id: '' }] = (await transactions(account)).transactions;
    expect(await aggregate(account)).toMatchObject({ aggregated_count: 0, summary_count: 0 });
    await account.record([account.sparkCreated()], at + 1);
    expect(await aggregate(account)).toMatchObject({ aggregated_count: 2, summary_count: 2 });
    const shown = (await transactions(account)).transactions;
    expect(shown).toHaveLength(2);
    expect(shown[0]).toMatchObject({ transaction_id, resource: 'storage', quantity: 20 });
  });

  it('changes nothing when it fails', async () => {
    const account = new AnalyticsAccount(platform);
    await account.record([account.sparkCreated()]);
    const before = await sums(account.id);
    await platform.sql(
      `ALTER TABLE ledger_summaries ADD CONSTRAINT test CHECK (account_id <> '${account.id}')`,
    );
    await expect(aggregate(account)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await platform.sql(`ALTER TABLE ledger_summaries DROP CONSTRAINT test`);
    expect(await sums(account.id)).toEqual(before);
    expect(await leftOf(account.id)).toBe(1);
    expect(await aggregate(account)).toMatchObject({ aggregated_count: 2 });
  });

  it('moves more entries than one statement does', async () => {
    const account = new AnalyticsAccount(platform);
    await platform.sql(
      `INSERT INTO ledger (account_id, source, event_id, type, storage_bytes, actor_type, created_at)
       SELECT $1, 'sparks', (lpad(to_hex(1790000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
              'spark_create', n, 'user', '2026-09-21' FROM generate_series(1, 12000) n`,
      [account.id],
    );
    expect(await aggregate(account)).toMatchObject({
      aggregated_count: 12_000,
      summary_count: 1,
      has_more: false,
    });
    expect((await transactions(account)).transactions).toMatchObject([{ quantity: 72_006_000 }]);
  });

  it('keeps activity, pools and the comparison of repeated events as they were', async () => {
    const account = new AnalyticsAccount(platform);
    const sealed = { vault_id: newId('vlt_'), account_id: account.id, ...action, seal_epoch: 1 };
    const events = await account.record([account.sparkCreated(), [vaultSealed, sealed]]);
    const [pools, activity] = await Promise.all([
      platform.sums(account.id),
      account.call(listActivity, { query: {} }),
    ]);
    await aggregate(account);
    expect(await platform.sums(account.id)).toEqual(pools);
    expect(await account.call(listActivity, { query: {} })).toEqual(activity);
    expect(activity.count).toBe(2);
    const altered = async () =>
      ((await register.getSingleMetric('vaultsvc_events_altered_total')?.get())?.values ?? []).reduce(
        (sum, { value }) => sum + value,
        0,
      );
    const before = await altered();
    await send(platform, ...events);
    const [spark] = events;
    if (spark) await send(platform, { ...spark, payload: { ...spark.payload, size_bytes: 11 } });
    await eventually(altered, (count) => count === before + 1);
  });

  it('AMB-17: is refused for members', async () => {
    const member = accountContext({ kind: 'session', role: 'member', userId: newId('usr_') });
    await expect(platform.harness.bus.call(aggregateTransactions, {}, member)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('RPT-32: the job', () => {
  it('looks for accounts with entries of that age', async () => {
    const [old, recent] = [new AnalyticsAccount(platform), new AnalyticsAccount(platform)];
    const now = Date.now();
    await old.record([old.sparkCreated()], now - 36 * DAY_MS);
    await recent.record([recent.sparkCreated()], now - 34 * DAY_MS);
    const rollUps = platform.service.context.get(RollUpRepository);
    const isFound = async ({ id }: AnalyticsAccount) =>
      (await rollUps.accountsBefore(lowestIdAt(now - 35 * DAY_MS), id.slice(0, -1))).includes(id);
    expect([await isFound(old), await isFound(recent)]).toEqual([true, false]);
  });

  it('rolls up the entries of all accounts that are older than 35 days, and no others', async () => {
    const accounts = Array.from({ length: 3 }, () => new AnalyticsAccount(platform));
    const now = Date.now();
    for (const account of accounts) {
      await account.record([account.sparkCreated()], now - 35 * DAY_MS - 60_000);
      await account.record([account.sparkCreated()], now - 35 * DAY_MS + 60_000);
      await account.record(
        [[sparkRead, { ...account.newSpark(), reader_account_id: account.id }]],
        now - 90 * DAY_MS,
      );
    }
    await Promise.all(platform.instances.map(({ context }) => context.get(RollUpLedger).run()));
    for (const account of accounts) {
      expect(await leftOf(account.id)).toBe(1);
      const { original, visible } = await sums(account.id);
      expect(visible).toEqual(original);
      expect((await transactions(account)).count).toBe(6);
    }
  });
});

describe('RPT-32: the entries of old months', () => {
  const DAYS = 86_400_000;
  const monthOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 7).replace('-', '');
  const startOf = (month: number) => Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + month);
  const monthsFrom = async (month: string) =>
    (
      await platform.sql<{ month: string }>(
        `SELECT to_char(month, 'YYYYMM') AS month FROM ledger_months WHERE month >= to_date($1, 'YYYYMM') ORDER BY 1`,
        [month],
      )
    ).map((row) => row.month);
  const rollUp = () => Promise.all(platform.instances.map(({ context }) => context.get(RollUpLedger).run()));
  const entriesOf = async (account: AnalyticsAccount) =>
    (await transactions(account, true)).transactions.filter(({ aggregated }) => aggregated);
  const keepMonths = (LEDGER_KEPT_MONTHS: number) => {
    for (const { context } of platform.instances)
      Object.assign(context.get(ReportingConfig), { LEDGER_KEPT_MONTHS });
  };
  /** As after the months that followed the migration: each has a partition of its own. */
  const separateMonths = () =>
    platform.sql(
      `DO $$ BEGIN EXECUTE (SELECT format('DROP TABLE %I', partition) FROM ledger_months WHERE has_earlier); END $$`,
    );
  afterAll(() => keepMonths(13));

  it('are in a partition of each month until two months ahead, made once by instances at the same time', async () => {
    await separateMonths();
    keepMonths(3);
    await rollUp();
    expect(await monthsFrom('200001')).toEqual([-3, -2, -1, 0, 1, 2].map((month) => monthOf(startOf(month))));
  });

  it('are listed until LEDGER_KEPT_MONTHS are over, and leave with their month; their summaries stay', async () => {
    const account = new AnalyticsAccount(platform);
    const [old, kept] = [startOf(-2) - DAYS, startOf(-2) + DAYS];
    for (const at of [old, kept]) await account.record([account.sparkCreated()], at);
    keepMonths(3);
    await rollUp();
    expect(await entriesOf(account)).toHaveLength(4); // storage and bandwidth of both
    const visible = await transactions(account);
    keepMonths(2);
    await rollUp();
    const left = await entriesOf(account);
    expect(left.map(({ created_at }) => created_at)).toEqual(Array(2).fill(Math.floor(kept / 1_000)));
    expect(await transactions(account)).toEqual(visible);
    expect(visible.transactions).toHaveLength(4);
  });

  it('that are rolled up after their month has left go into the summaries alone', async () => {
    const account = new AnalyticsAccount(platform);
    await account.record([account.sparkCreated()], startOf(-6));
    keepMonths(2);
    await rollUp();
    expect(await entriesOf(account)).toEqual([]);
    expect((await transactions(account)).transactions).toMatchObject([{ quantity: 10 }, { quantity: 10 }]);
  });

  it('are kept again for the months that a longer LEDGER_KEPT_MONTHS adds', async () => {
    keepMonths(13);
    const account = new AnalyticsAccount(platform);
    await account.record([account.sparkCreated()], startOf(-6));
    await rollUp();
    expect(await entriesOf(account)).toHaveLength(2);
  });
});
