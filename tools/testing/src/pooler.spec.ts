import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, type StatefulConfig } from '@vaultsvc/config';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { startService, type RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { sharedServers, startPgBouncer, type TestServer } from '@vaultsvc/testing/servers';
import pg from 'pg';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { ensureTools } from '../../stack/servers/install.ts';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let pooler: TestServer;
let role: string;
let settings: Record<string, string>;

const through = (url: string) => Object.assign(new URL(url), { host: new URL(pooler.url).host }).href;
const asAdmin = async (text: string) => {
  const admin = new pg.Client({ connectionString: sharedServers().postgresAdminUrl });
  await admin.connect();
  await admin.query(text);
  await admin.end();
};

beforeAll(async () => {
  await ensureTools(['pgbouncer']);
  await (await harness.start(sparks)).stop(); // which migrates
  const { DATABASE_URL = '', KEYS_DATABASE_URL = '', ...others } = await harness.environment('sparks');
  role = new URL(DATABASE_URL).username;
  pooler = await startPgBouncer(DATABASE_URL, role);
  const urls = { DATABASE_URL: through(DATABASE_URL), KEYS_DATABASE_URL: through(KEYS_DATABASE_URL) };
  // The timeouts of the product, which are the defaults of the role.
  settings = { ...others, ...urls, DATABASE_PREPARED: 'false', DATABASE_STATEMENT_MS: '5000' };
}, 300_000);
afterAll(() => pooler.stop());

const start = () => startService(sparks, loadConfig(sparks.config, settings));

describe('OPEN-51: a service behind PgBouncer of Debian, which has no prepared statements and drops startup parameters', () => {
  it('creates and burns Sparks on fewer connections than it opens, with its timeouts', async () => {
    const service = await start();
    await burnSparks();
    const { dataSource } = service.context.get(Database);
    const [row] = await dataSource.query<object[]>(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
              current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('plan_cache_mode') AS plan`,
    );
    expect(row).toEqual({ statement: '5s', lock: '4s', idle: '10s', plan: 'force_generic_plan' });
    expect(await connectionsOf(service)).toBeLessThanOrEqual(4);
    await service.stop();
  });

  it('does not start without them, and says which defaults the role lacks', async () => {
    await asAdmin(`ALTER ROLE "${role}" RESET statement_timeout`);
    await pooler.restart();
    await expect(start()).rejects.toThrow(
      `statement_timeout is 0, not 5000): make them defaults of the role, then reconnect the pooler: ` +
        `ALTER ROLE "${role}" SET statement_timeout = 5000;`,
    );
    await asAdmin(`ALTER ROLE "${role}" SET statement_timeout = 5000`);
  });
});

async function burnSparks() {
  const context = accountContext();
  const payloads = Array.from({ length: 40 }, (_, i) => `secret ${i}`);
  const created = await Promise.all(
    payloads.map((payload) => harness.bus.call(createSpark, { body: { payload } as never }, context)),
  );
  const read = await Promise.all(
    created.map(({ spark_id }) => harness.bus.call(readSpark, { params: { spark_id } }, context)),
  );
  expect(read.map(({ payload }) => payload)).toEqual(payloads);
  const [first] = created;
  const again = harness.bus.call(readSpark, { params: { spark_id: first?.spark_id ?? '' } }, context);
  await expect(again).rejects.toMatchObject({ reason: 'SPARK_BURNED' });
}

async function connectionsOf({ context }: RunningService): Promise<number> {
  const config = context.get(sparks.config) as StatefulConfig;
  const database = new URL(config.DATABASE_URL.reveal()).pathname.slice(1);
  const admin = new pg.Client({ connectionString: sharedServers().postgresAdminUrl });
  await admin.connect();
  const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE usename = $1 AND datname = $2', [
    role,
    database,
  ]);
  await admin.end();
  return rowCount ?? 0;
}
