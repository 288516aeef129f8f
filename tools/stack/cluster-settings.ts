// The settings of the services that depend on how many servers and shards the stack has.
import { redisAccess } from './servers/redis-access.ts';
import { shardedServices, type Settings } from './settings.ts';

/** The defaults with `--clusters`, which settings given to the launcher override. */
export function clusterDefaults(name: string, { clusters }: Settings) {
  if (!clusters) return {};
  return { NATS_STREAM_REPLICAS: '3', ...(name === 'auth' && { ACCOUNT_SHARDS: '0,1' }) };
}

/** The addresses of further servers, and which shards have a database: facts of the stack, which nothing overrides. */
export function clusterSettings(name: string, { ports, clusters, shard }: Settings) {
  if (!clusters) return {};
  return {
    SHARDS: '0,1',
    ...(shardedServices.includes(name) && { SHARD: String(shard) }),
    ...(name in redisAccess && { REDIS_CLUSTER: hostsOf([ports.redis, ...clusters.redis]) }),
  };
}

/** The URLs of all servers of NATS. */
export function natsUrls({ ports, clusters }: Settings): string {
  const all = [ports.nats, ...(clusters?.nats ?? [])];
  return all.map((port) => `nats://127.0.0.1:${port}`).join();
}

/** With a standby, the URL names both servers, and clients use the one that accepts writes. */
export function databaseUrl(
  role: string,
  password: string | undefined,
  { ports, clusters }: Settings,
): string {
  const servers = [ports.postgres, ...(clusters ? [clusters.postgresStandby] : [])];
  return `postgres://${role}:${password}@${hostsOf(servers)}/vaultsvc`;
}

function hostsOf(ports: readonly number[]) {
  return ports.map((port) => `127.0.0.1:${port}`).join();
}
