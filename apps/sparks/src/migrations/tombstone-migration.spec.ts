import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource } from '@vaultsvc/database';
import { startHarness, undoThrough, type Harness } from '@vaultsvc/testing/harness';
import { asOwner } from '@vaultsvc/tools-testing/service-process';
import pg from 'pg';
import { storage } from '../storage.js';
import { PartitionTombstones1764700000000 } from './1764700000000-partition-tombstones.js';

let harness: Harness;
let config: StatefulConfig;
let source: ReturnType<typeof createMigrationSource>;
beforeAll(async () => {
  harness = await startHarness();
  config = loadConfig(StatefulConfig, asOwner(await harness.environment('sparks')));
  source = await createMigrationSource(config, storage).initialize();
});
afterAll(async () => {
  await source.destroy();
  await harness.stop();
});

const ids = async () =>
  (await source.query<{ id: string }[]>(`SELECT id FROM spent_sparks ORDER BY id`)).map(({ id }) => id);
const insert = (id: string, age: string) =>
  source.query(
    `INSERT INTO spent_sparks (id, account_id, has_kindling, is_burned, expires_at)
     VALUES ($1, 'acc_1', false, true, now() - $2::interval)`,
    [id, age],
  );
const undo = () => undoThrough(source, PartitionTombstones1764700000000.name);

describe('the migration of tombstones', () => {
  it('SPK-51 OPEN-50: keeps those of earlier releases, also after a rollback', async () => {
    await source.runMigrations();
    await undo();
    await insert('spk_1', '29 days');
    await insert('spk_2', '1 minute');
    await source.runMigrations();
    expect(await ids()).toEqual(['spk_1', 'spk_2']);
    await insert('spk_3', '3 years'); // as an instance of either release does
    await undo();
    expect(await ids()).toEqual(['spk_1', 'spk_2', 'spk_3']);
    await source.runMigrations();
    expect(await ids()).toEqual(['spk_1', 'spk_2', 'spk_3']);
  });

  it('SPK-51: lets a role that owns no table create partitions, and only of this table', async () => {
    await source.runMigrations();
    const { schema, adminUrl } = await harness.schema('sparks');
    const role = `runtime_${randomBytes(5).toString('hex')}`;
    const admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    try {
      await admin.query(`CREATE ROLE ${role}`);
      await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
      await admin.query(
        `CREATE TABLE ${schema}.events (LIKE ${schema}.spent_sparks) PARTITION BY RANGE (expires_at)`,
      );
      await admin.query(`SET ROLE ${role}`);
      await admin.query(`SET search_path = ${schema}`);
      await admin.query(`SELECT add_tombstone_partitions('spent_sparks')`);
      await admin.query(`SELECT drop_tombstone_partitions('spent_sparks', now() - interval '10 years')`);
      await expect(admin.query(`SELECT add_tombstone_partitions('events')`)).rejects.toThrow('no rows');
      await expect(admin.query(`DROP TABLE spent_sparks`)).rejects.toThrow('must be owner');
    } finally {
      await admin.query(`RESET ROLE; DROP TABLE ${schema}.events; DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await admin.end();
    }
  });
});
