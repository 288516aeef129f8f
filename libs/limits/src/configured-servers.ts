import { urlOfPrimary } from './primary-lookup.js';
import { RedisClient } from './redis-client.js';
import { RedisCluster } from './redis-cluster.js';
import type { ConnectionEvents, RedisConfig, RedisServers, Replication } from './redis-servers.js';

/** The servers that the settings name, not yet connected. */
export function serversOf(config: RedisConfig, warn: ConnectionEvents['warn']): RedisServers {
  const { REDIS_CLUSTER: nodes = [], REDIS_ANSWER_MS: answerMs } = config;
  const url = config.REDIS_URL.reveal();
  if (nodes.length > 0) return new RedisCluster(url, nodes, answerMs, warn);
  const sentinels = config.REDIS_SENTINELS?.reveal() ?? [];
  const urlOf = () => (sentinels.length === 0 ? Promise.resolve(url) : urlOfPrimary(sentinels, url));
  return new RedisClient(urlOf, answerMs, { warn });
}

/**
 * The replication of changed credentials. The server gives up before the command times out, so that its connection is free again.
 */
export function replicationOf(config: RedisConfig): Replication {
  const { REDIS_CLUSTER: nodes = [], REDIS_REVOCATION_REPLICAS: wanted = '0' } = config;
  const replicas = wanted === 'auto' ? Math.sign(nodes.length) : Number(wanted);
  return { replicas, waitMs: Math.floor(config.REDIS_ANSWER_MS / 2) };
}
