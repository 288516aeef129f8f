import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { sharedServersOfRun } from '../../../../tools/test/servers.mjs';

/** The servers that all spec files of one Jest run share. */
export interface SharedServers {
  /** Connects as the superuser to the database `vaultsvc`. Services under test connect with the URL of `testSchema`. */
  readonly postgresAdminUrl: string;
  /** With a database number that no other spec file has; the database is empty at first. */
  readonly redisUrl: string;
  readonly kmsUrl: string;
}

/** Numbers 0 to 511, as the run's Redis is started. */
const redisDatabases = 512;

let ofThisFile: SharedServers | undefined;

/** The URLs of the shared servers; they stay the same for the whole spec file. */
export function sharedServers(): SharedServers {
  ofThisFile ??= claimServers();
  return ofThisFile;
}

function claimServers(): SharedServers {
  const { dir, postgresUrl, redisUrl, kmsUrl } = sharedServersOfRun();
  return { postgresAdminUrl: postgresUrl, redisUrl: `${redisUrl}/${claimRedisDatabase(dir)}`, kmsUrl };
}

/** Workers are separate processes: the one that creates the file claims the number. */
function claimRedisDatabase(dir: string): number {
  for (let database = 0; database < redisDatabases; database++) {
    if (claims(join(dir, `redis-${database}`))) return database;
  }
  throw new Error(`This run has more than ${redisDatabases} spec files that use Redis`);
}

function claims(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
