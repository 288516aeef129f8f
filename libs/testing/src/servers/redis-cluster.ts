import { PrivateServers, sharedServersOfRun } from '../../../../tools/test/servers.ts';
import type { TestServer } from './private.js';
import { until } from '../waiting/index.js';
import { inspectRedis } from './redis.js';

/** A master, its id in the cluster, and its replicas. */
export interface RedisShard {
  readonly master: TestServer;
  readonly masterId: string;
  readonly replicas: readonly TestServer[];
}

type ServerEntry = readonly [host: string, port: number, id: string];
type SlotRange = readonly [from: number, to: number, ...servers: ServerEntry[]];

/** Servers of a Redis Cluster, each of which may be killed, paused and restarted. */
export class RedisClusterServers {
  constructor(private readonly nodes: readonly TestServer[]) {}

  /** Settings of the services that use it. */
  get settings(): Record<'REDIS_URL' | 'REDIS_CLUSTER', string> {
    const addresses = this.nodes.map(({ url }) => new URL(url).host);
    return { REDIS_URL: this.nodes[0]?.url ?? '', REDIS_CLUSTER: addresses.join(',') };
  }

  /** The servers of a slot, as a node that runs knows them. A replica that has failed is not among them. */
  async shardOf(slot: number): Promise<RedisShard> {
    const running = this.nodes.find(({ pid }) => pid > 0);
    const ranges = (await this.ask(running, 'CLUSTER', 'SLOTS')) as readonly SlotRange[];
    const [, , master, ...replicas] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
    if (!master) throw new Error(`no master of the slot ${slot}`);
    return {
      master: this.#at(master),
      masterId: master[2],
      replicas: replicas.map((entry) => this.#at(entry)),
    };
  }

  /** The reply of a node to a command of the inspector. */
  async ask(node: TestServer | undefined, ...command: string[]): Promise<unknown> {
    const inspector = await inspectRedis(node?.url ?? '');
    try {
      return await inspector.command(...command);
    } finally {
      inspector.close();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill('SIGKILL')));
  }

  #at([, port]: ServerEntry): TestServer {
    const found = this.nodes.find(({ url }) => new URL(url).port === String(port));
    if (!found) throw new Error(`no server at port ${port}`);
    return found;
  }
}

/**
 * Three masters with a replica each, which replaces a master that is silent for `nodeTimeoutMs`: half a minute, so that a busy machine
 * causes no failover.
 */
export async function startRedisCluster(
  options?: Parameters<PrivateServers['startRedisCluster']>[0],
): Promise<RedisClusterServers> {
  const cluster = new RedisClusterServers(
    await new PrivateServers(sharedServersOfRun().dir).startRedisCluster(options),
  );
  // A node names a replica once it has heard how far it is.
  for (const slot of [0, 8_000, 16_000])
    await until(async () => (await cluster.shardOf(slot)).replicas.length === 1);
  return cluster;
}
