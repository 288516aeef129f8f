import { randomBytes } from 'node:crypto';
import { completeKeys, newKey, type Keys } from '../keys.ts';
import type { Topology } from '../topology.ts';
import { redisUsers } from '../../stack/servers/redis-access.ts';
import { servicesWithObjects, statefulServices } from './services.ts';

/** All secrets of an installation, in `secrets.json`. They are made once; a later release adds what it needs. */
export interface InstallationSecrets {
  /** Of the messages between services. */
  keys: Keys;
  /** 32 random bytes in base64, by setting. */
  shared: Record<string, string>;
  /** Of the superuser, under `postgres`, of the roles of services, and of the owners of their tables. */
  postgres: Record<string, string>;
  /** Of the users of Redis. */
  redis: Record<string, string>;
  /** Secret access keys of the services at the object store. */
  objects: Record<string, string>;
}

/** The keys that several services hold. */
const sharedKeys = ['CURSOR_KEY', 'CREDENTIAL_RECORD_KEY', 'POOL_SNAPSHOT_KEY'];

/** Adds what the given secrets lack. */
export function completeSecrets(
  topology: Topology,
  known: Partial<InstallationSecrets> = {},
): InstallationSecrets {
  const roles = statefulServices(topology).flatMap((service) => [service, `${service}_owner`]);
  return {
    keys: completeKeys(topology, known.keys),
    shared: withMissing(known.shared, sharedKeys, newKey),
    postgres: withMissing(known.postgres, ['postgres', ...roles], newPassword),
    redis: withMissing(known.redis, redisUsers, newPassword),
    objects: withMissing(known.objects, servicesWithObjects, newPassword),
  };
}

function withMissing(known: Record<string, string> = {}, names: readonly string[], make: () => string) {
  return { ...known, ...Object.fromEntries(names.map((name) => [name, known[name] ?? make()])) };
}

/** 192 bits in characters that URLs, SQL and configuration files take as they are. */
function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
