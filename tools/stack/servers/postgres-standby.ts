// A standby of PostgreSQL: it is copied from its primary, follows the port of the primary, and becomes synchronous.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { postgresUser, type PostgresOptions } from './postgres.ts';
import { lastLines, type Server } from './server.ts';

/** The name by which a primary knows its standby. */
export const standbyName = 'standby';

const pollMs = 50;

/** A standby replays what its primary has written meanwhile, before it is synchronous. */
const syncLimitMs = 60_000;

/** Where a copy is made: an interrupted one must not look like data. */
export function unfinishedCopy(dataDir: string): string {
  return `${dataDir}.new`;
}

/** Copies a running primary, unless the standby has its copy, and lets the standby follow the primary's port. */
export async function prepareStandby(primary: PostgresOptions, dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'PG_VERSION'))) return followPort(primary.port, dataDir);
  const unfinished = unfinishedCopy(dataDir);
  for (const dir of [dataDir, unfinished]) rmSync(dir, { recursive: true, force: true });
  await copy(primary, unfinished);
  renameSync(unfinished, dataDir);
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
  // The standby keeps the password in its settings, with which it follows the primary. Nothing else of the environment:
  // PGHOSTADDR or PGSSLMODE of a developer would lead to another server.
  const env = { PATH: process.env.PATH, PGPASSWORD: password };
  await promisify(execFile)(program, options, { ...user, cwd: '/', env });
}

/** The stack may have other ports than when the copy was made. A write in place keeps the owner of the file. */
function followPort(port: number, dataDir: string) {
  const path = join(dataDir, 'postgresql.auto.conf');
  const known = readFileSync(path, 'utf8');
  const text = known.replace(/^(primary_conninfo = .*\bport=)\d+/m, `$1${port}`);
  if (text !== known) writeFileSync(path, text);
}

/** The environment of a standby: variables of libpq would override the address of its primary. */
export function standbyEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PG')));
}

/** @throws when the standby has ended, or is not synchronous in time, with the last lines of its log */
export async function untilSynchronous(
  admin: Pick<pg.Client, 'query'>,
  standby: Pick<Server, 'name' | 'plan' | 'pid'>,
  limitMs: number = syncLimitMs,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  const isSynchronous = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`;
  while ((await admin.query(isSynchronous)).rowCount === 0) {
    const problem =
      standby.pid === 0 ? 'ended before it was synchronous' : `is not synchronous after ${limitMs / 1000} s`;
    if (standby.pid === 0 || Date.now() > deadline)
      throw new Error(`${standby.name} ${problem}\n${lastLines(standby.plan.logPath)}`);
    await delay(pollMs);
  }
}
