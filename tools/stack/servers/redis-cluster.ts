import { randomBytes } from 'node:crypto';
import { probeClusterNode } from './probes.ts';
import { inspector } from './redis-access.ts';
import { addressOf, nodesFile, updateAddresses, writeNodesFile } from './redis-nodes-file.ts';
import { redisPlan, type RedisOptions } from './redis.ts';
import type { ServerPlan } from './server.ts';

const SLOTS = 16_384;

/** A server of a cluster, and the port on which the nodes talk to each other. */
export interface ClusterServer extends RedisOptions {
  readonly busPort: number;
  /** A master that is silent so long is dead for the others; the election of its replica takes another second. */
  readonly nodeTimeoutMs: number;
}

interface Node {
  readonly id: string;
  readonly options: ClusterServer;
  /** Of its master; undefined for a master. */
  readonly masterId?: string;
  readonly slots: string;
  readonly epoch: number;
}

/**
 * The servers of a Redis Cluster in which masters share the slots evenly. Each node knows all others from its first start, so
 * nobody has to introduce them.
 * @param pairs a master and its replica
 */
export function redisClusterPlans(pairs: readonly (readonly [ClusterServer, ClusterServer])[]) {
  const servers = pairs.flat();
  if (!updateAddresses(servers))
    introduce(pairs.flatMap((pair, index) => nodesOf(pair, index, pairs.length)));
  return servers.map(planOf);
}

/** Writes the first `nodes.conf` of each node, which Redis reads at its start and writes from then on. */
function introduce(nodes: readonly Node[]) {
  for (const own of nodes) {
    const lines = nodes.map((node) => nodeLine(node, node === own));
    const epochs = `vars currentEpoch ${nodes.length} lastVoteEpoch 0`;
    writeNodesFile(own.options.dataDir, `${[...lines, epochs].join('\n')}\n`);
  }
}

function nodesOf([master, replica]: readonly [ClusterServer, ClusterServer], index: number, masters: number) {
  const start = (of: number) => Math.floor((of * SLOTS) / masters);
  const slots = `${start(index)}-${start(index + 1) - 1}`;
  const [id, epoch] = [newId(), index + 1];
  return [
    { id, options: master, slots, epoch },
    { id: newId(), options: replica, masterId: id, slots: '', epoch },
  ];
}

function newId() {
  return randomBytes(20).toString('hex');
}

function planOf(options: ClusterServer): ServerPlan {
  const { port, passwords, busPort, nodeTimeoutMs } = options;
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-config-file': nodesFile,
    'cluster-port': busPort,
    'cluster-node-timeout': nodeTimeoutMs,
    // The slots of other masters are served while one has none.
    'cluster-require-full-coverage': 'no',
  };
  const plan = redisPlan({ ...options, databases: 1 });
  return {
    ...plan,
    args: [
      ...plan.args,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    probe: () => probeClusterNode(port, inspector, passwords[inspector] ?? ''),
  };
}

function nodeLine({ id, options, masterId, slots, epoch }: Node, isOwn: boolean) {
  const flags = `${isOwn ? 'myself,' : ''}${masterId === undefined ? 'master' : 'slave'}`;
  return [id, addressOf(options), flags, masterId ?? '-', 0, 0, epoch, 'connected', slots].join(' ').trim();
}
