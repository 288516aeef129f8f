import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource } from '@vaultsvc/database';
import { startHarness, undoThrough, type Harness } from '@vaultsvc/testing/harness';
import { asOwner } from '@vaultsvc/tools-testing/service-process';
import { storage } from '../storage.js';
import { MergeLedgerLines1765500000000 } from './1765500000000-merge-ledger-lines.js';

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

const undo = () => undoThrough(source, MergeLedgerLines1765500000000.name);
const LINE =
  'account_id, type, resource, quantity, unit, reference_id, vault_id, actor_type, event_id, created_at';
const linesIn = (relation: string) =>
  source.query<object[]>(`SELECT ${LINE} FROM ${relation} ORDER BY event_id, account_id, resource`);

describe('the migration that merges ledger lines', () => {
  it('OPEN-29 OPEN-58: keeps every line of the previous release, also after a rollback', async () => {
    await source.runMigrations();
    await undo();
    const [created, read] = [randomUUID(), randomUUID()];
    for (const [account, type, resource, quantity, event] of [
      ['acc_1', 'spark_create', 'storage', 7, created],
      ['acc_1', 'spark_create', 'bandwidth', 7, created],
      ['acc_1', 'spark_read', 'storage', -7, read],
      ['acc_2', 'spark_read', 'bandwidth', 7, read],
    ])
      await source.query(
        `INSERT INTO ledger (transaction_id, account_id, type, resource, quantity, unit, reference_id, actor_type, event_id, created_at)
         VALUES ('txn_' || gen_random_uuid(), $1, $2, $3, $4, 'bytes', 'spk_1', 'api_key', $5, '2026-11-23')`,
        [account, type, resource, quantity, event],
      );
    const before = await linesIn('ledger');
    expect(before).toHaveLength(4);
    await source.runMigrations();
    expect(await linesIn('ledger_lines')).toEqual(before);
    expect(await source.query(`SELECT DISTINCT source FROM ledger`)).toEqual([{ source: 'sparks' }]);
    expect(await source.query(`SELECT 1 FROM ledger`)).toHaveLength(3);
    await source.query(
      `WITH moved AS (DELETE FROM ledger WHERE event_id = $1 RETURNING *)
                        INSERT INTO ledger_aggregated SELECT * FROM moved`,
      [read],
    );
    expect(await linesIn('ledger_lines')).toEqual(before);
    await undo();
    expect(await linesIn('ledger')).toEqual(before);
  });
});
