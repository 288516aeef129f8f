import { redisAccess } from '../../stack/servers/redis-access.ts';
import { ownerOf } from '../../stack/servers/schema.ts';
import { keySettings } from '../keys.ts';
import type { Topology } from '../topology.ts';
import type { InstallationSecrets } from './secrets.ts';
import { servers } from './servers.ts';
import { holders, statefulServices } from './services.ts';

type Settings = Record<string, string>;

/** The secret settings of a service: those of others are in none of them. */
export function secretSettings(topology: Topology, secrets: InstallationSecrets, service: string): Settings {
  const shared = Object.keys(holders).filter((name) => holders[name]?.includes(service));
  const password = secrets.redis[service] ?? '';
  const settings: Settings = {
    ...keySettings(topology, secrets.keys, service),
    ...Object.fromEntries(shared.map((name) => [name, secrets.shared[name] ?? ''])),
    ...(statefulServices(topology).includes(service) && databaseSettings(secrets, service)),
    ...(service in redisAccess && {
      REDIS_URL: `rediss://${service}:${password}@${servers.redis.host}:6379`,
    }),
    ...(secrets.objects[service] && { S3_SECRET_ACCESS_KEY: secrets.objects[service] }),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
}

/** The settings of the job that migrates the tables of a service: the role of their owner, and no key. */
export function ownerSettings(secrets: InstallationSecrets, service: string): Settings {
  return databaseSettings(secrets, ownerOf(service));
}

function databaseSettings({ postgres }: InstallationSecrets, role: string): Settings {
  const url = `postgres://${role}:${postgres[role]}@${servers.postgres.host}:5432/vaultsvc?sslmode=verify-full`;
  return { DATABASE_URL: url };
}
