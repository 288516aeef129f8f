import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext, rowsOf } from '@vaultsvc/testing/harness';
import { startPostgres, type TestServer } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import pg from 'pg';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let cluster: TestServer;
let services: RunningService[];

/** A server of its own for sparks, beside that of all others. */
beforeAll(async () => {
  cluster = await startPostgres();
  const admin = new pg.Client({ connectionString: cluster.url });
  await admin.connect();
  for (const name of ['vaultsvc', 'vaultsvc_keys']) await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const urlOf = (name: string) => cluster.url.replace(/postgres$/, name);
  for (const name of ['vaultsvc', 'vaultsvc_keys']) {
    const owner = new pg.Client({ connectionString: urlOf(name) });
    await owner.connect();
    await owner.query('CREATE SCHEMA sparks');
    await owner.end();
  }
  services = [
    await harness.start(reporting),
    await harness.start(sparks, {
      DATABASE_URL: urlOf('vaultsvc'),
      KEYS_DATABASE_URL: urlOf('vaultsvc_keys'),
      DATABASE_SCHEMA: 'sparks',
    }),
  ];
}, 120_000);
afterAll(async () => {
  await services[1]?.stop();
  await cluster.stop();
});

describe('MISC-01: services with a PostgreSQL server each', () => {
  it('work together by messages alone: a burn on one is in the ledger of the other', async () => {
    const context = accountContext();
    const body = { payload: 'apart' } as never;
    const { spark_id } = await harness.bus.call(createSpark, { body }, context);
    const read = await harness.bus.call(readSpark, { params: { spark_id } }, context);
    expect(read.payload).toBe('apart');
    const [owner] = services;
    const entries = () => rowsOf(owner as RunningService, `SELECT 1 FROM ledger`);
    expect((await eventually(entries, (rows) => rows.length >= 2)).length).toBeGreaterThanOrEqual(2);
  });
});
