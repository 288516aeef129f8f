import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { unfinishedCopy } from './servers/postgres-standby.ts';
import type { Settings } from './settings.ts';

/** PostgreSQL's user cannot access root's private folders, so root's stacks keep its data here, one folder per stack. */
const rootPostgresHome = '/var/lib/vaultsvc-local';

/** The servers of PostgreSQL that only a stack with `--clusters` has. */
const clusterServers = ['standby', 'shard', 'shard-standby'] as const;

type Paths = Pick<Settings['paths'], 'dir' | 'postgres'>;

/** The data folder of PostgreSQL, or of one of the servers that `--clusters` adds. */
export function postgresDir(paths: Paths, server?: (typeof clusterServers)[number]): string {
  const isRoot = process.getuid?.() === 0;
  const dir = isRoot
    ? join(rootPostgresHome, createHash('sha256').update(paths.dir).digest('hex').slice(0, 16))
    : paths.postgres;
  return server === undefined ? dir : `${dir}-${server}`;
}

/** All data folders of PostgreSQL and unfinished copies of them, those that do not exist included. */
export function postgresDirs(paths: Paths): string[] {
  const dirs = [undefined, ...clusterServers].map((server) => postgresDir(paths, server));
  return dirs.flatMap((dir) => [dir, unfinishedCopy(dir)]);
}

/** A standby of an earlier database cannot follow a new one. Its next start copies the new one. */
export function removeStandby(paths: Paths, standby: 'standby' | 'shard-standby'): void {
  rmSync(postgresDir(paths, standby), { recursive: true, force: true });
}

/** When run as root, makes `.local/postgres` a link to the data. Data without a link belongs to a deleted stack. */
export function linkPostgresDir(paths: Paths): string {
  const dataDir = postgresDir(paths);
  if (dataDir === paths.postgres || lstatSync(paths.postgres, { throwIfNoEntry: false })) return dataDir;
  for (const dir of postgresDirs(paths)) rmSync(dir, { recursive: true, force: true });
  mkdirSync(rootPostgresHome, { recursive: true, mode: 0o755 });
  symlinkSync(dataDir, paths.postgres);
  return dataDir;
}
