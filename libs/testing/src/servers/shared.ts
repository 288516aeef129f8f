import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@vaultsvc/config';
import { kmsSecret, redisAccess, serviceGrants, sharedServersOfRun } from '../../../../tools/test/servers.ts';

/** The servers that all spec files of one Jest run share. */
export interface SharedServers {
  /** Connects as the superuser to the database `vaultsvc`. Services under test connect with the URL of `testSchema`. */
  readonly postgresAdminUrl: string;
  /**
   * As the inspector, who may do everything, with a database number that no other spec file has; the database is
   * empty at first. Services under test connect with the URL of `redisUrlOf`.
   */
  readonly redisUrl: string;
  readonly kmsUrl: string;
}

/** Numbers 0 to 511, as the run's Redis is started. */
const redisDatabases = 512;

/** The URL with which a service enters Redis, where it may do what it may do in production. */
export function redisUrlOf(service: string, url: string): string {
  const own = new URL(url);
  if (service in redisAccess) own.username = service;
  return own.href;
}

/** The credentials of a service at the KMS emulator, with its own grants; any other caller may do everything. */
export function kmsCredentialsOf(caller = 'test'): { accessKeyId: string; secretAccessKey: string } {
  return { accessKeyId: caller in serviceGrants ? caller : 'test', secretAccessKey: kmsSecret };
}

/** The settings of a key of a KMS emulator, for `Kms`. */
export function awsKeyOf(endpoint: string, keyId: string, caller = 'test') {
  const credentials = kmsCredentialsOf(caller);
  return { provider: 'aws', endpoint, region: 'us-east-1', keyId, credentials } as const;
}

/** The settings of a key of an emulator of transit, for `Kms`. The caller logs in by AppRole. */
export function transitKeyOf(url: string, keyName: string, caller = 'test') {
  return {
    provider: 'transit',
    url,
    mount: 'transit',
    namespace: '',
    keyName,
    auth: 'approle',
    authMount: 'approle',
    role: caller,
    secret: new Secret(kmsSecret),
    secretFile: '',
    random: 'platform',
  } as const;
}

/** The same as environment variables, for the key of the service or, with the other prefix, for the second one. */
export function transitSettingsOf(url: string, prefix = 'KMS_', caller = 'test'): Record<string, string> {
  return {
    [`${prefix}PROVIDER`]: 'transit',
    [`${prefix}TRANSIT_URL`]: url,
    [`${prefix}TRANSIT_ROLE`]: caller,
    [`${prefix}TRANSIT_SECRET`]: kmsSecret,
  };
}

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
