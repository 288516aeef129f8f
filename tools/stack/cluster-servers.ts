// The servers of `npm start -- --clusters`: those of a large deployment, on one machine.
import { join } from 'node:path';
import { natsUrlOf, natsUsers } from './nats-users.ts';
import { postgresDir, removeStandby } from './postgres-folders.ts';
import type { Secrets } from './secrets.ts';
import type { Binaries } from './servers/binaries.ts';
import { natsPlan } from './servers/nats.ts';
import { untilStreamsAreKept } from './servers/nats-cluster.ts';
import { createCluster, postgresPlan, type PostgresOptions } from './servers/postgres.ts';
import { startStandby } from './servers/postgres-pair.ts';
import { redisClusterPlans } from './servers/redis-cluster.ts';
import { Server, type ServerPlan } from './servers/server.ts';
import type { Settings } from './settings.ts';
import { ofSecondShard } from './stack-ports.ts';

/** After which a silent master of Redis is replaced: long, because all servers share a machine. */
const redisNodeTimeoutMs = 15_000;

/** The name of the PostgreSQL of the second shard. */
export const shardPostgres = 'postgres-shard';

type ClusteredSettings = Settings & { clusters: NonNullable<Settings['clusters']> };

export function isClustered(settings: Settings): settings is ClusteredSettings {
  return settings.clusters !== undefined;
}

/** NATS of three, a Redis Cluster of three masters with a replica each, and the PostgreSQL of the second shard. */
export async function clusterPlans(
  settings: ClusteredSettings,
  secrets: Secrets,
  binaries: Binaries,
): Promise<ServerPlan[]> {
  const shard = postgresOptions(ofSecondShard(settings), secrets, binaries, 'shard');
  if (await createCluster(shard)) removeStandby(settings.paths, 'shard-standby');
  return [
    ...redisPlans(settings, secrets, binaries),
    ...natsPlans(settings, secrets, binaries),
    { ...postgresPlan(shard), name: shardPostgres },
  ];
}

function redisPlans(
  { paths, ports, clusters }: ClusteredSettings,
  secrets: Secrets,
  binaries: Binaries,
): ServerPlan[] {
  const names = namesOf('redis', [ports.redis, ...clusters.redis]);
  const nodes = [ports.redis, ...clusters.redis].map((port, index) => ({
    binaries,
    port,
    busPort: clusters.redisBuses[index] ?? 0,
    nodeTimeoutMs: redisNodeTimeoutMs,
    dataDir: join(paths.redis, names[index] ?? ''),
    logPath: join(paths.logs, `${names[index]}.log`),
    childrenDir: paths.children,
    passwords: secrets.redis_passwords,
    isDurable: true,
  }));
  const pairs = [0, 2, 4].map((index) => [nodes[index]!, nodes[index + 1]!] as const);
  return redisClusterPlans(pairs).map((plan, index) => ({ ...plan, name: names[index] ?? '' }));
}

function natsPlans(
  { paths, ports, clusters }: ClusteredSettings,
  secrets: Secrets,
  binaries: Binaries,
): ServerPlan[] {
  const all = [ports.nats, ...clusters.nats];
  const names = namesOf('nats', all);
  return all.map((port, index) => {
    const name = names[index] ?? '';
    return natsPlan({
      binaries,
      port,
      dataDir: join(paths.nats, name),
      logPath: join(paths.logs, `${name}.log`),
      childrenDir: paths.children,
      users: natsUsers(secrets),
      cluster: { name, port: clusters.natsRoutes[index] ?? 0, routes: clusters.natsRoutes },
    });
  });
}

/** The first one has the name of the server that it takes the place of. */
function namesOf(name: string, ports: readonly number[]): string[] {
  return ports.map((_, index) => (index === 0 ? name : `${name}-${index + 1}`));
}

/**
 * Gives each PostgreSQL its synchronous standby, and waits until NATS keeps streams.
 * @param running the servers that run
 * @returns the standbys
 */
export async function completeClusters(
  settings: ClusteredSettings,
  secrets: Secrets,
  binaries: Binaries,
  running: readonly Server[],
): Promise<Server[]> {
  const second = ofSecondShard(settings);
  const standbyOf = async (name: string, of: Settings, server?: 'shard') => {
    const primary = running.find((each) => each.name === name);
    if (!primary) throw new Error(`${name} does not run`);
    const own = postgresOptions(of, secrets, binaries, server);
    const standby = {
      ...own,
      port: of.clusters?.postgresStandby ?? 0,
      dataDir: postgresDir(of.paths, server ? 'shard-standby' : 'standby'),
      logPath: join(of.paths.logs, `${name}-standby.log`),
    };
    return startStandby(primary, own, standby, `${name}-standby`);
  };
  const [main, shard] = await Promise.all([
    standbyOf('postgres', settings),
    standbyOf(shardPostgres, second, 'shard'),
    untilStreamsAreKept(natsUrlOf(settings, secrets)),
  ]);
  return [main, shard];
}

function postgresOptions(
  { paths, ports }: Settings,
  { postgres_password: password }: Secrets,
  binaries: Binaries,
  server?: 'shard',
): PostgresOptions {
  const name = server ? shardPostgres : 'postgres';
  return {
    binaries,
    password,
    port: ports.postgres,
    dataDir: postgresDir(paths, server),
    logPath: join(paths.logs, `${name}.log`),
    childrenDir: paths.children,
    isDurable: true,
  };
}
