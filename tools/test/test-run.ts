import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { PrivateServers } from '../stack/servers/private-servers.ts';
import { revokePublicAccess } from '../stack/servers/schema.ts';
import { isOwnRun, newRunFolder, removeRun } from './run-folder.ts';
import { newTestWire, type TestWire } from './test-wire.ts';

interface SharedServers {
  /** Of this run: servers that a spec file starts put their data and their pid there. */
  dir: string;
  /** Superuser, database `vaultsvc`; keys are in `vaultsvc_keys` of the same server. */
  postgresUrl: string;
  /** Of the inspector, without a database number. */
  redisUrl: string;
  kmsUrl: string;
  /** The issuer of the identity provider, which keeps no state of its people; its client is `testClientId`. */
  identityUrl: string;
  /** Keys of the messages between services, and the users of NATS. */
  wire: TestWire;
}

/** The client of the run's identity provider. */
export const testClientId = 'vaultsvc-test';

/** Names the folder of the run; `servers.json` in it has the URLs of the shared servers. */
const variable = 'VAULTSVC_TEST_RUN';

/**
 * Starts PostgreSQL, Redis, the KMS emulator and the identity provider for one run of Jest; its workers find them by the environment. A run that
 * was started with the environment of `startServers` uses those.
 */
export async function startRun() {
  if (process.env[variable] === undefined) Object.assign(process.env, await startServers());
}

/** @returns the environment with which runs of Jest use these servers, until `stopServers` */
export async function startServers(): Promise<Record<string, string>> {
  const dir = newRunFolder();
  const servers = new PrivateServers(dir);
  const [postgres, redis, kms, identity] = await Promise.all([
    servers.startPostgres(),
    servers.startRedis({ isDurable: false }),
    servers.startKms(),
    servers.startIdentity(testClientId),
  ]);
  const postgresUrl = await createDatabases(postgres.url);
  const urls = { postgresUrl, redisUrl: redis.url, kmsUrl: kms.url, identityUrl: identity.url };
  const shared: SharedServers = { dir, ...urls, wire: newTestWire() };
  writeFileSync(join(dir, 'servers.json'), JSON.stringify(shared), { mode: 0o600 });
  return { [variable]: dir };
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

/** Stops every server of this run, including those of a crashed worker, and removes their data; servers of others go on. */
export async function endRun() {
  if (isOwnRun(process.env[variable] ?? '')) await stopServers(process.env);
}

/** @param environment what `startServers` returned */
export async function stopServers(environment: Readonly<Record<string, string | undefined>>) {
  const dir = environment[variable];
  if (dir) await removeRun(dir);
}
