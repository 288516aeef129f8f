import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseConfigOf } from '@vaultsvc/testing/harness';
import { startPostgres, type TestServer } from '@vaultsvc/testing/servers';
import pg from 'pg';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { statement } from './statement.js';

let servers: [TestServer, TestServer];
let database: Database;

/** Without streaming: the test is about the choice of a server, for which a standby differs from a primary by this setting alone. */
const setReadOnly = ({ url }: TestServer, isReadOnly: boolean) =>
  asAdmin(url, `ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);

async function asAdmin(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString, options: '-c default_transaction_read_only=off' });
  await client.connect();
  await client.query(text);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

const port = ({ url }: TestServer) => Number(new URL(url).port);
const portInUse = statement('test.port', `SELECT inet_server_port() AS port`);
const usedPort = async () => (await database.query<{ port: number }>(portInUse))[0]?.port;

beforeAll(async () => {
  servers = await Promise.all([startPostgres(), startPostgres()]);
  const [first, second] = servers;
  await setReadOnly(first, true);
  const databaseUrl = `postgres://postgres@127.0.0.1:${port(first)},127.0.0.1:${port(second)}/postgres`;
  const config = databaseConfigOf({ databaseUrl, schema: 'public' } as never);
  database = new Database(await createDataSource(config, { migrations: [] }).initialize());
});
afterAll(async () => {
  await database.dataSource.destroy();
  await Promise.all(servers.map((server) => server.stop()));
});

describe('A PostgreSQL URL with several servers', () => {
  it('leads to the one that accepts writes, wherever it stands', async () => {
    expect(await usedPort()).toBe(port(servers[1]));
  });

  it('leads to the other one after a failover', async () => {
    await servers[1].kill('SIGKILL');
    await setReadOnly(servers[0], false);
    await usedPort().catch(() => undefined); // a connection that the failover has broken
    expect(await usedPort()).toBe(port(servers[0]));
  });

  it('leads nowhere while none accepts writes, and says why', async () => {
    await setReadOnly(servers[0], true);
    const busy = await database.connect(); // the connection of the previous test, so that the next one is new
    const error = await usedPort().catch((reason: unknown) => reason);
    busy.release();
    expect(error).toMatchObject({ name: 'NoWritableServer', cause: { errors: { length: 2 } } });
  });
});
