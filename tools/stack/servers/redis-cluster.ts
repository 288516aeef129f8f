import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeClusterNode } from './probes.ts';
import { inspector } from './redis-access.ts';
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
  const nodes = pairs.flatMap((pair, index) => nodesOf(pair, index, pairs.length));
  return nodes.map((node) => planOf(node, nodes));
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

function planOf(own: Node, nodes: readonly Node[]): ServerPlan {
  const { dataDir, port, passwords, busPort, nodeTimeoutMs } = own.options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lines = nodes.map((node) => nodeLine(node, node === own));
  const epochs = `vars currentEpoch ${nodes.length} lastVoteEpoch 0`;
  const path = join(dataDir, 'nodes.conf');
  // Those of an earlier start know which of them has replaced another.
  if (!existsSync(path)) writeFileSync(path, `${[...lines, epochs].join('\n')}\n`, { mode: 0o600 });
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-port': busPort,
    'cluster-node-timeout': nodeTimeoutMs,
    // The slots of other masters are served while one has none.
    'cluster-require-full-coverage': 'no',
  };
  const plan = redisPlan({ ...own.options, databases: 1 });
  return {
    ...plan,
    args: [
      ...plan.args,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    probe: () => probeClusterNode(port, inspector, passwords[inspector] ?? ''),
  };
}

/** A line of `nodes.conf`, which Redis reads at its start and writes from then on. */
function nodeLine({ id, options, masterId, slots, epoch }: Node, isOwn: boolean) {
  const flags = `${isOwn ? 'myself,' : ''}${masterId === undefined ? 'master' : 'slave'}`;
  const address = `127.0.0.1:${options.port}@${options.busPort}`;
  return [id, address, flags, masterId ?? '-', 0, 0, epoch, 'connected', slots].join(' ').trim();
}
