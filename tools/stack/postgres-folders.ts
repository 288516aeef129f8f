import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
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

/** All data folders of PostgreSQL, those that do not exist included. */
export function postgresDirs(paths: Paths): string[] {
  return [postgresDir(paths), ...clusterServers.map((server) => postgresDir(paths, server))];
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

/**
 * Data stays with the servers that it was made on: without clusters nobody would find accounts of the second shard.
 * @throws when the data of this stack was made with the other choice of `--clusters`
 */
export function assertSameServers({ paths, clusters }: Pick<Settings, 'paths' | 'clusters'>): void {
  if (!existsSync(paths.postgres) || existsSync(postgresDir(paths, 'shard')) === (clusters !== undefined))
    return;
  const made = clusters ? 'without' : 'with';
  throw new Error(
    `The data in ${paths.dir} was made ${made} --clusters. Start ${made} it, or in another folder (VAULTSVC_DIR), or delete the data with --fresh.`,
  );
}
