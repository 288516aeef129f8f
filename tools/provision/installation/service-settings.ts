import { redisAccess } from '../../stack/servers/redis-access.ts';
import { ownerOf } from '../../stack/servers/schema.ts';
import { keySettings } from '../keys.ts';
import type { Topology } from '../topology.ts';
import type { InstallationSecrets } from './secrets.ts';
import type { Places } from './places.ts';
import { holders, statefulServices } from './services.ts';

type Settings = Record<string, string>;

/** The secret settings of a service: those of others are in none of them. */
export function secretSettings(
  topology: Topology,
  secrets: InstallationSecrets,
  service: string,
  places: Places,
): Settings {
  const shared = Object.keys(holders).filter((name) => holders[name]?.includes(service));
  const password = secrets.redis[service] ?? '';
  const settings: Settings = {
    ...keySettings(topology, secrets.keys, service),
    ...Object.fromEntries(shared.map((name) => [name, secrets.shared[name] ?? ''])),
    ...(statefulServices(topology).includes(service) && databaseSettings(secrets, service, places)),
    ...(service in redisAccess && {
      REDIS_URL: `rediss://${service}:${password}@${places.hostOf('redis')}:${places.redisPort}`,
    }),
    ...(secrets.objects[service] && { S3_SECRET_ACCESS_KEY: secrets.objects[service] }),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
}

/** The settings of the job that migrates the tables of a service: the role of their owner, and no key. */
export function ownerSettings(secrets: InstallationSecrets, service: string, places: Places): Settings {
  return databaseSettings(secrets, ownerOf(service), places);
}

function databaseSettings({ postgres }: InstallationSecrets, role: string, places: Places): Settings {
  const server = `${places.hostOf('postgres')}:${places.postgresPort}`;
  const url = `postgres://${role}:${postgres[role]}@${server}/vaultsvc?sslmode=verify-full`;
  return { DATABASE_URL: url };
}
