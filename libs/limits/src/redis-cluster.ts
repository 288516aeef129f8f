import { ClusterTopology } from './cluster-topology.js';
import type { RedisClient } from './redis-client.js';
import type { ConnectionEvents, RedisReply, RedisServers, Replication } from './redis-servers.js';
import type { Commands } from './replicated-writes.js';
import { hostIn } from './server-address.js';
import { redirectionIn, slotOf } from './slot-map.js';

/** A slot that moves twice while a command follows it is no topology any more. */
const REDIRECTIONS_MAX = 3;

/** Commands and how they are sent to one node. */
type Send = (node: RedisClient, commands: Commands) => Promise<RedisReply>;

/**
 * A client of a Redis Cluster: one client of each master. A command whose master does not answer fails at once, and those of other
 * masters go on. Not the cluster client of the library: after a redirection it holds the command back until it has read the topology
 * and connected to each master, which a dead one delays without a bound.
 */
export class RedisCluster implements RedisServers {
  readonly #topology: ClusterTopology;

  /** The parameters are those of `ClusterTopology`. */
  constructor(url: string, nodes: readonly string[], answerMs: number, warn: ConnectionEvents['warn']) {
    this.#topology = new ClusterTopology(url, nodes, answerMs, warn);
  }

  get isReady(): boolean {
    return this.#topology.isReady;
  }

  get members(): readonly RedisClient[] {
    return this.#topology.masters;
  }

  connect(): Promise<void> {
    return this.#topology.connect();
  }

  send(parts: string[], key: string): Promise<RedisReply> {
    return this.#follow(parts, key, (node, commands) => node.sendAll(commands));
  }

  sendReplicated(parts: string[], key: string, replication: Replication): Promise<RedisReply> {
    return this.#follow(parts, key, (node, commands) => node.writeAll(commands, replication));
  }

  failed(): void {
    this.#topology.refresh();
  }

  destroy(): void {
    this.#topology.destroy();
  }

  async #follow(parts: string[], key: string, send: Send): Promise<RedisReply> {
    const slot = slotOf(key);
    let address = this.#topology.masterOf(slot);
    if (address === undefined) throw new Error('no master of the slot is known');
    let commands: Commands = [parts];
    for (let redirections = 0; ; redirections += 1) {
      try {
        const node = this.#topology.clientAt(address);
        if (!node.isReady) await node.firstConnection; // a new master is connected in a moment
        return await send(node, commands);
      } catch (error) {
        const redirection = redirectionIn(error, hostIn(address));
        if (!redirection || redirections === REDIRECTIONS_MAX) throw error;
        this.#topology.redirected(slot, redirection);
        ({ address } = redirection);
        // Without ASKING the node would send the command back to the one that still has the slot.
        commands = redirection.kind === 'ASK' ? [['ASKING'], parts] : [parts];
      }
    }
  }
}
