import { rmSync } from 'node:fs';
import type pg from 'pg';
import { createCluster, postgresPlan, type PostgresOptions } from './postgres.ts';
import { prepareStandby, standbyEnvironment, standbyName, untilSynchronous } from './postgres-standby.ts';
import { Server } from './server.ts';

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
  // A standby of an earlier database cannot follow a new one.
  if (await createCluster(primaryOptions)) rmSync(standbyOptions.dataDir, { recursive: true, force: true });
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
  await prepareStandby(primaryOptions, standbyOptions.dataDir);
  const plan = { ...postgresPlan(standbyOptions), name, env: standbyEnvironment(process.env) };
  const standby = await new Server(plan).start();
  await withAdmin(primary, async (admin) => {
    // The copy of the settings was made before: a standby that is promoted waits for nobody.
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
    await admin.query('SELECT pg_reload_conf()');
    await untilSynchronous(admin, standby);
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
