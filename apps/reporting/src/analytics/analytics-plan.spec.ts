import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { genericPlanOf, rowsOf } from '@vaultsvc/testing/harness';
import { HIGHEST_ID } from '../ledger/event-ids.js';
import { findAltered } from '../ledger/ledger.repository.js';
import { findAccounts, rollUpEntries } from '../ledger/roll-up.repository.js';
import { selectTransactions } from '../ledger/transaction.repository.js';
import { reporting } from '../service-definition.js';
import { selectActivity } from './activity.repository.js';
import { addCounts, readBuckets, readFigures } from './usage-counter.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, reporting);
beforeAll(async () => {
  for (const text of [INSERT_HOURS, INSERT_TOTALS, INSERT_LEDGER, ...COPY_LEDGER, `ANALYZE`])
    await rowsOf(service, text);
});

const INSERT_HOURS = `
  INSERT INTO usage_by_hour SELECT 'acc_' || n % 20, 490000 + n / 20, 1, 1, 0, 0 FROM generate_series(1, 40000) n`;
const INSERT_TOTALS = `
  INSERT INTO usage_totals SELECT 'acc_' || n, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(1, 5000) n`;
const INSERT_LEDGER = `
  INSERT INTO ledger (account_id, source, event_id, type, actor_type, created_at)
  SELECT 'acc_' || n % 20, 'sparks', (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
         'spark_create', 'user', to_timestamp(1700000000 + n / 1000.0)
    FROM generate_series(1, 40000) n`;
const COPY_LEDGER = [
  `INSERT INTO ledger_aggregated SELECT * FROM ledger`,
  // As many in the partition of each later month.
  `INSERT INTO ledger_aggregated
   SELECT account_id, type, storage_bytes, bandwidth_bytes, reference_id, vault_id, actor_type,
          overlay(event_id::text PLACING left(lowest_event_id(month AT TIME ZONE 'UTC')::text, 13) FROM 1 FOR 13)::uuid, created_at, source
     FROM ledger, ledger_months WHERE NOT has_earlier`,
  `INSERT INTO ledger_summaries SELECT account_id, event_id, type, 1, 1, NULL, created_at FROM ledger`,
  `INSERT INTO processed SELECT event_id FROM ledger`,
];

const planOf = ({ text }: Statement) => genericPlanOf(service, text);

describe('RPT-01 RPT-08 RPT-18: the generic plans of analytics', () => {
  it('find the hours of a window and the totals by their primary keys', async () => {
    for (const statement of [readFigures, readBuckets]) {
      const plan = await planOf(statement);
      expect(plan).toMatch(/Index Cond: \(\(account_id = \$1\) AND \(hour >= \$2\)/);
      expect(plan).not.toMatch(/Seq Scan/);
    }
  });

  it('RPT-14: find the entries of the last 24 hours by the primary key, newest first, without a sort of the window', async () => {
    const plan = await planOf(selectActivity);
    expect(plan).toMatch(/Index Scan Backward using ledger_pkey on ledger/);
    expect(plan).toMatch(/Index Cond: .*event_id >= \$2.*event_id < \$3/);
    expect(plan).toMatch(/Limit\n\s+->\s+Index Scan Backward using ledger_pkey/);
  });

  it('add counts by primary keys', async () => {
    const plan = await planOf(addCounts);
    expect(plan).toMatch(/Conflict Arbiter Indexes: usage_totals_pkey/);
    expect(plan).toMatch(/Conflict Arbiter Indexes: usage_by_hour_pkey/);
  });
});

describe('RPT-31 RPT-32: the generic plans of the ledger', () => {
  it('list transactions in the order of the primary keys, as far as the page needs', async () => {
    const plan = await planOf(selectTransactions);
    for (const table of ['ledger', 'ledger_summaries'])
      expect(plan).toMatch(new RegExp(`Index Scan Backward using ${table}_pkey on ${table}`));
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('list rolled-up transactions month by month, newest first, without a sort of a month', async () => {
    const values = [`'acc_1'`, `'${HIGHEST_ID}'`, `'~'`, `'~'`, 'NULL', 'true', '52', '51'];
    const text = selectTransactions.text.replaceAll(
      /\$(\d)/g,
      (_, number) => values[Number(number) - 1] ?? '',
    );
    const rows = await rowsOf<{ 'QUERY PLAN': string }>(service, `EXPLAIN (COSTS OFF) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const months = [...plan.matchAll(/Index Scan Backward using \S+ on ledger_aggregated_(\d{6})/g)].map(
      ([, month]) => month,
    );
    expect(months).toHaveLength(3);
    expect(months).toEqual(months.toSorted().toReversed());
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('roll up the oldest entries of an account, and find accounts with old entries, by the primary key', async () => {
    const plan = await planOf(rollUpEntries);
    expect(plan).toMatch(/Index Scan using ledger_pkey on ledger/);
    expect(plan).toMatch(/Index Cond: \(\(account_id = \$1\) AND \(event_id < \$3\)\)/);
    expect(plan).toMatch(/Tid Scan on ledger/);
    expect(plan).not.toMatch(/Seq Scan/);
    expect(await planOf(findAccounts)).not.toMatch(/Seq Scan/);
  });

  it('compare a repeated event with its entry by the primary keys', async () => {
    const plan = await planOf(findAltered);
    expect(plan).not.toMatch(/Seq Scan/);
    expect(plan).toMatch(/using ledger_pkey on ledger/);
    expect(plan.match(/Index Scan using \S+ on ledger_aggregated_\d{6}/g)).toHaveLength(3);
  });
});
