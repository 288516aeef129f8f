import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { kmsPlan } from './servers/kms.mjs';
import { natsPlan } from './servers/nats.mjs';
import { createCluster, postgresPlan } from './servers/postgres.mjs';
import { redisPlan } from './servers/redis.mjs';
import { Server } from './servers/server.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

/** PostgreSQL's own user cannot enter root's private folders: as root its data lives here, one folder per stack. */
const rootPostgresHome = '/var/lib/vaultsvc-local';

/**
 * @param {Settings['paths']} paths
 * @returns {string} the folder that PostgreSQL really uses
 */
function postgresDir(paths) {
  if (process.getuid?.() !== 0) return paths.postgres;
  return join(rootPostgresHome, createHash('sha256').update(paths.dir).digest('hex').slice(0, 16));
}

/**
 * As root: `.local/postgres` links to the data. Without the link the data belongs to a stack that was deleted.
 * @param {Settings['paths']} paths
 */
function linkPostgresDir(paths) {
  const dataDir = postgresDir(paths);
  if (dataDir === paths.postgres || lstatSync(paths.postgres, { throwIfNoEntry: false })) return dataDir;
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(rootPostgresHome, { recursive: true, mode: 0o755 });
  symlinkSync(dataDir, paths.postgres);
  return dataDir;
}

/**
 * Forgets everything that this stack ever stored.
 * @param {Settings['paths']} paths
 */
export function removeData(paths) {
  const { dir, logs, children, lock, ...stored } = paths;
  for (const path of [postgresDir(paths), ...Object.values(stored)])
    rmSync(path, { recursive: true, force: true });
}

/**
 * The four servers that the services need, not yet started.
 * @param {Settings} settings
 * @param {import('./secrets.mjs').Secrets} secrets
 * @param {import('./servers/binaries.mjs').Binaries} binaries
 */
export async function prepareInfrastructure({ paths, ports }, secrets, binaries) {
  const common = (/** @type {'postgres' | 'redis' | 'nats' | 'kms'} */ name) => ({
    binaries,
    port: ports[name],
    dataDir: name === 'postgres' ? linkPostgresDir(paths) : paths[name],
    logPath: join(paths.logs, `${name}.log`),
    childrenDir: paths.children,
    isDurable: true,
  });
  const postgres = { ...common('postgres'), password: secrets.postgres_password };
  // An account of an earlier database is none of this one's.
  if (await createCluster(postgres)) rmSync(paths.account, { force: true });
  return [
    postgresPlan(postgres),
    redisPlan(common('redis')),
    natsPlan(common('nats')),
    kmsPlan(common('kms')),
  ].map((plan) => new Server(plan));
}
