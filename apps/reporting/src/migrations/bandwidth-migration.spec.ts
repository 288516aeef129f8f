import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource } from '@vaultsvc/database';
import { startHarness, undoThrough, type Harness } from '@vaultsvc/testing/harness';
import { asOwner } from '@vaultsvc/tools-testing/service-process';
import { storage } from '../storage.js';
import { CountBandwidth1766700000000 } from './1766700000000-count-bandwidth.js';

let harness: Harness;
let source: ReturnType<typeof createMigrationSource>;
beforeAll(async () => {
  harness = await startHarness();
  const config = loadConfig(StatefulConfig, asOwner(await harness.environment('reporting')));
  source = await createMigrationSource(config, storage).initialize();
});
afterAll(async () => {
  await source.destroy();
  await harness.stop();
});

const enter = (relation: string, account: string, bytes: number, age: string) =>
  source.query(
    `INSERT INTO ${relation} (account_id, source, event_id, type, actor_type, bandwidth_bytes, created_at)
     VALUES ($1, 'sparks', $2, 'spark_read', 'user', $3, now() - $4::interval)`,
    [account, randomUUID(), bytes, age],
  );

describe('the migration that counts bandwidth', () => {
  it('OPEN-29 OPEN-58: adds the ledger of the last 31 days, rolled up or not, to the hours that exist or are missing', async () => {
    await source.runMigrations();
    await undoThrough(source, CountBandwidth1766700000000.name);
    await enter('ledger', 'acc_1', 5, '10 minutes');
    await enter('ledger_aggregated', 'acc_1', 7, '10 minutes');
    await enter('ledger', 'acc_1', 100, '40 days');
    await enter('ledger', 'acc_2', 3, '20 days');
    await source.query(
      `INSERT INTO usage_by_hour SELECT account_id, floor(extract(epoch FROM created_at) / 3600)::int, 9, 0, 0, 0
         FROM ledger WHERE account_id = 'acc_2'`,
    );
    await source.runMigrations();
    expect(
      await source.query(
        `SELECT account_id, sum(operations)::int AS operations, sum(bandwidth_bytes)::int AS bandwidth_bytes
           FROM usage_by_hour GROUP BY account_id ORDER BY account_id`,
      ),
    ).toEqual([
      { account_id: 'acc_1', operations: 0, bandwidth_bytes: 12 },
      { account_id: 'acc_2', operations: 9, bandwidth_bytes: 3 },
    ]);
  });
});
