import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { ownerUrlOf, testSchema, type TestSchema } from '@vaultsvc/testing/servers';
import { wireSettings } from '@vaultsvc/testing/wire';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createMigrationSource, type Storage } from '../data-source.js';
import { migrate } from '../migrate/index.js';
import { applyRestoreFence, type FenceStep } from './restore-fence.js';

class CreateTokens1700000000000 implements MigrationInterface {
  readonly name = 'CreateTokens1700000000000';
  async up(runner: QueryRunner) {
    await runner.query(
      `CREATE TABLE tokens (id int, created_at timestamptz NOT NULL DEFAULT clock_timestamp())`,
    );
  }
  async down() {}
}
class AddColumn1700000000001 implements MigrationInterface {
  readonly name = 'AddColumn1700000000001';
  async up(runner: QueryRunner) {
    await runner.query(`ALTER TABLE tokens ADD COLUMN more int`);
  }
  async down() {}
}
const storage: Storage = { migrations: [CreateTokens1700000000000] };
const deletion: FenceStep = {
  says: 'tokens deleted',
  text: `WITH gone AS (DELETE FROM tokens WHERE created_at <= $1 RETURNING 1) SELECT count(*)::int AS count FROM gone`,
};

let schema: TestSchema;
let config: StatefulConfig;
let client: pg.Client;
beforeAll(async () => {
  schema = await testSchema('things');
  config = loadConfig(StatefulConfig, {
    NATS_URL: 'nats://127.0.0.1:4222',
    PROFILE: 'local',
    ...wireSettings('stranger'),
    DATABASE_URL: ownerUrlOf(schema.databaseUrl),
    DATABASE_SCHEMA: schema.schema,
  });
  const source = await createMigrationSource(config, storage).initialize();
  try {
    await migrate(source, schema.schema);
  } finally {
    await source.destroy();
  }
  client = new pg.Client({ connectionString: ownerUrlOf(schema.databaseUrl) });
  await client.connect();
});
beforeEach(() => client.query(`TRUNCATE tokens`));
afterAll(async () => {
  await client.end();
  await schema.drop();
});

const fence = (steps: readonly FenceStep[] = [deletion], of = storage) => ({
  service: 'things',
  storage: of,
  steps,
});
const insert = (id: number) => client.query(`INSERT INTO tokens (id) VALUES ($1)`, [id]);
const ids = async () =>
  (await client.query<{ id: number }>(`SELECT id FROM tokens ORDER BY id`)).rows.map(({ id }) => id);
/** A later moment at every call, not in the future. */
const now = async () =>
  (await client.query<{ now: Date }>(`SELECT clock_timestamp() + interval '1 ms' AS now, pg_sleep(0.003)`))
    .rows[0]?.now as Date;

describe('MISC-03: a restore fence', () => {
  it('ends what is older than the restore point, and reports the number', async () => {
    await insert(1);
    const restoredTo = await now();
    await insert(2);
    const { counts } = await applyRestoreFence(fence(), config, restoredTo);
    expect(counts).toEqual([{ says: 'tokens deleted', count: 1 }]);
    expect(await ids()).toEqual([2]);
  });

  it('changes nothing at its second call for the same point, and says when the first one was', async () => {
    const restoredTo = await now();
    const rewound = {
      says: 'rewound',
      text: `UPDATE tokens SET id = id + 1 WHERE $1::timestamptz IS NOT NULL`,
    };
    await applyRestoreFence(fence(), config, restoredTo);
    await insert(3);
    const again = await applyRestoreFence(fence([rewound]), config, restoredTo);
    expect(again).toEqual({ appliedBefore: expect.any(Date), counts: [] });
    expect(await ids()).toEqual([3]);
  });

  it('is applied once by concurrent calls', async () => {
    await insert(4);
    const restoredTo = await now();
    const reports = await Promise.all(
      Array.from({ length: 5 }, () => applyRestoreFence(fence(), config, restoredTo)),
    );
    expect(reports.flatMap(({ counts }) => counts)).toEqual([{ says: 'tokens deleted', count: 1 }]);
  });

  it('is applied wholly or not at all', async () => {
    await insert(5);
    const restoredTo = await now();
    const broken = { says: 'broken', text: `SELECT no_such_function($1::timestamptz)` };
    await expect(applyRestoreFence(fence([deletion, broken]), config, restoredTo)).rejects.toThrow(
      'no_such_function',
    );
    expect(await ids()).toEqual([5]);
    expect((await applyRestoreFence(fence(), config, restoredTo)).counts).toMatchObject([{ count: 1 }]);
  });

  it('refuses a point in the future, and a schema with pending migrations', async () => {
    const future = new Date(Date.now() + 3_600_000);
    await expect(applyRestoreFence(fence(), config, future)).rejects.toThrow('in the future');
    const newer = { migrations: [CreateTokens1700000000000, AddColumn1700000000001] };
    await expect(applyRestoreFence(fence([deletion], newer), config, await now())).rejects.toThrow(
      'run the migrate job first',
    );
  });
});
