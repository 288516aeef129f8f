import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { isRunning, processStart, reapChildren } from '../stack/servers/children.ts';
import { PrivateServers } from '../stack/servers/private-servers.ts';
import { revokePublicAccess } from '../stack/servers/schema.ts';
import { newTestWire, type TestWire } from './test-wire.ts';

interface SharedServers {
  /** Of this run: servers that a spec file starts put their data and their pid there. */
  dir: string;
  /** Superuser, database `vaultsvc`; keys are in `vaultsvc_keys` of the same server. */
  postgresUrl: string;
  /** Of the inspector, without a database number. */
  redisUrl: string;
  kmsUrl: string;
  /** Keys of the messages between services, and the users of NATS. */
  wire: TestWire;
}

const prefix = 'vaultsvc-test-';

/** Names the folder of the run; `servers.json` in it has the URLs of the shared servers. */
const variable = 'VAULTSVC_TEST_RUN';

/** Starts PostgreSQL, Redis and the KMS emulator for one run of Jest; its workers find them by the environment. */
export async function startRun() {
  const dir = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(
    join(dir, 'owner.json'),
    JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) }),
  );
  process.env[variable] = dir;
  const servers = new PrivateServers(dir);
  const [postgres, redis, kms] = await Promise.all([
    servers.startPostgres(),
    servers.startRedis(),
    servers.startKms(),
  ]);
  const postgresUrl = await createDatabases(postgres.url);
  const shared = { dir, postgresUrl, redisUrl: redis.url, kmsUrl: kms.url, wire: newTestWire() };
  writeFileSync(join(dir, 'servers.json'), JSON.stringify(shared), { mode: 0o600 });
}

async function createDatabases(adminUrl: string) {
  const urlOf = (name: string) => adminUrl.replace(/\/postgres$/, `/${name}`);
  for (const name of ['vaultsvc', 'vaultsvc_keys']) {
    await withClient(adminUrl, (client) => client.query(`CREATE DATABASE ${name}`));
    await withClient(urlOf(name), (client) => revokePublicAccess(client, name));
  }
  return urlOf('vaultsvc');
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** @throws outside a run of Jest */
export function sharedServersOfRun(): SharedServers {
  const dir = process.env[variable];
  if (!dir)
    throw new Error(`${variable} is not set: specs run under Jest, whose global setup starts the servers`);
  return JSON.parse(readFileSync(join(dir, 'servers.json'), 'utf8'));
}

/** Stops every server of this run, including those of a crashed worker, and removes their data. */
export async function endRun() {
  const dir = process.env[variable];
  if (dir) await removeRun(dir);
}

/** Time for servers to stop: a killed one may still write into folders that are being removed. */
const patienceMs = 10_000;

async function removeRun(dir: string) {
  await reapChildren(join(dir, 'children'), patienceMs);
  rmSync(dir, { recursive: true, force: true });
}

/** Cleans up after runs that were killed. */
export async function reapAbandonedRuns() {
  const dirs = readdirSync(tmpdir())
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(tmpdir(), name));
  await Promise.all(dirs.filter(isAbandoned).map(removeRun));
}

function isAbandoned(dir: string) {
  try {
    return !isRunning(JSON.parse(readFileSync(join(dir, 'owner.json'), 'utf8')));
  } catch {
    return false; // Another run is creating it, or another user owns it.
  }
}
