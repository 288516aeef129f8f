import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { notify } from '../service-definition.js';
import { claim, nextDue, postponeAccount, searchAccount } from './due-message.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => {
  service = await harness.start(notify);
  await rowsOf(service, INSERT_MANY);
  await rowsOf(service, 'ANALYZE messages');
});

/** A busy account with 1,500 due messages and 450 later ones, fifty others with one each, and many that are closed or of phones. */
const INSERT_MANY = `
  INSERT INTO messages (id, kind, channel, subject_id, account_id, next_attempt_at, outcome, closed_at)
  SELECT gen_random_uuid(), 'link_delivery', CASE WHEN n % 2 = 0 THEN 'email' ELSE 'phone' END, 's',
         CASE WHEN n <= 3900 THEN 'acc_busy' ELSE 'acc_' || n % 100 END,
         now() + CASE WHEN n <= 900 THEN 1 ELSE -1 END * n * interval '1 minute',
         CASE WHEN n > 4000 THEN 'sent' END, CASE WHEN n > 4000 THEN now() END
    FROM generate_series(1, 20000) n`;

/** The plan with the rows that each step has read. */
async function planOf(text: string, ...values: string[]): Promise<string> {
  const probed = values.reduce((sql, value, index) => sql.replaceAll(`$${index + 1}`, value), text);
  const rows = await rowsOf(service, `EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF) ${probed}`);
  return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
}

/** The most rows that one execution of a step has read, those included that a filter removed. */
function rowsRead(plan: string): number {
  const figures = [...plan.matchAll(/(?:rows=|Rows Removed by Filter: )(\d+)/g)];
  return Math.max(...figures.map(([, rows]) => Number(rows)));
}

describe('NTF-30: behind 1,500 messages of one account,', () => {
  it('the next account is found by reading a row for each account', async () => {
    const plan = await planOf(searchAccount.text, `'email'`, '1', `''`, `'{acc_busy}'`);
    expect(plan).toContain('messages_by_account');
    expect(plan).not.toMatch(/Seq Scan|Sort/);
    expect(rowsRead(plan)).toBeLessThanOrEqual(51);
  });

  it('the message of an account is claimed by reading it alone', async () => {
    const plan = await planOf(claim.text, `'email'`, '1', `'{acc_10,acc_busy}'`);
    expect(plan).toContain('messages_by_account');
    expect(plan).not.toMatch(/Seq Scan|Sort/);
    expect(rowsRead(plan)).toBeLessThanOrEqual(2);
  });

  it('the next due message is found without reading those that are due', async () => {
    const plan = await planOf(nextDue.text, `'email'`);
    expect(plan).toContain('messages_due');
    expect(plan).not.toMatch(/Seq Scan|Sort Method/);
    expect(rowsRead(plan)).toBeLessThanOrEqual(2);
  });

  it('an account is postponed by its own rows', async () => {
    const plan = await planOf(postponeAccount.text, `'email'`, `'acc_10'`, '5');
    expect(plan).toContain('messages_by_account');
    expect(rowsRead(plan)).toBeLessThanOrEqual(1);
  });
});
