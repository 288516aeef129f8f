import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { createCluster, postgresPlan, postgresUser, type PostgresOptions } from './postgres.ts';
import { Server } from './server.ts';

const standbyName = 'standby';
const pollMs = 50;

/** A primary, and a standby that has each commit before it is answered. */
export interface PostgresPair {
  primary: Server;
  standby: Server;
}

/** Starts both on the loopback address, and resolves once commits wait for the standby. */
export async function startPostgresPair(
  primaryOptions: PostgresOptions,
  standbyOptions: PostgresOptions,
): Promise<PostgresPair> {
  await createCluster(primaryOptions);
  const primary = await new Server(postgresPlan(primaryOptions)).start();
  return { primary, standby: await startStandby(primary, primaryOptions, standbyOptions) };
}

/** Starts a standby, which is copied from its primary at its first start, and resolves once commits wait for it. */
export async function startStandby(
  primary: Server,
  primaryOptions: PostgresOptions,
  standbyOptions: PostgresOptions,
  name = 'postgres',
): Promise<Server> {
  if (!existsSync(join(standbyOptions.dataDir, 'PG_VERSION')))
    await copy(primaryOptions, standbyOptions.dataDir);
  const standby = await new Server({ ...postgresPlan(standbyOptions), name }).start();
  await withAdmin(primary, async (admin) => {
    // The copy of the settings was made before: a standby that is promoted waits for nobody.
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
    await admin.query('SELECT pg_reload_conf()');
    while ((await admin.query(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).rowCount === 0)
      await delay(pollMs);
  });
  return standby;
}

/** Kills the primary, which must not start again, and lets its standby accept writes. */
export async function failOver({ primary, standby }: PostgresPair): Promise<void> {
  await primary.kill('SIGKILL');
  await withAdmin(standby, (admin) => admin.query('SELECT pg_promote()'));
}

/** A URL of both, of which clients use the one that accepts writes. */
export function urlOfPair({ primary, standby }: PostgresPair, database: string): string {
  const hosts = [primary, standby].map(({ url }) => new URL(url).host);
  return `postgres://postgres@${hosts.join(',')}/${database}`;
}

/** Runs statements as the superuser of a server. */
export async function withAdmin<T>(
  { url }: Pick<Server, 'url'>,
  work: (admin: pg.Client) => Promise<T>,
): Promise<T> {
  const { Client } = (await import('pg')).default;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function copy({ binaries, port, password }: PostgresOptions, dataDir: string) {
  const user = postgresUser();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined) chownSync(dataDir, user.uid, user.gid ?? user.uid);
  chmodSync(dataDir, 0o700);
  const source = `host=127.0.0.1 port=${port} user=postgres application_name=${standbyName}`;
  // `postgres` may be a link from a folder that has no other program.
  const program = join(dirname(realpathSync(binaries.postgres)), 'pg_basebackup');
  const options = ['-d', source, '-D', dataDir, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  // The standby keeps the password in its settings, with which it follows the primary.
  const env = { ...process.env, PGPASSWORD: password };
  await promisify(execFile)(program, options, { ...user, cwd: '/', env });
}
