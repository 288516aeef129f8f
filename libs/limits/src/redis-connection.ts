import { Logger } from '@nestjs/common';
import { addMetricSource } from '@vaultsvc/telemetry';
import { Counter, Gauge } from 'prom-client';
import { CommandTimeout } from './command-timeout.js';
import { replicationOf, serversOf } from './configured-servers.js';
import { KeyNames } from './key-names.js';
import { isScriptMissing, type RedisScript } from './redis-script.js';
import type {
  ConnectionEvents,
  RedisConfig,
  RedisReply,
  RedisServers,
  Replication,
} from './redis-servers.js';

/** Redis is unreachable or did not reply in time. The caller's request is refused (ENV-36). */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
}

const FIRST_CONNECT_MS = 2_000;

const unavailableTotal = new Counter({
  name: 'vaultsvc_limiter_unavailable_total',
  help: 'Commands that Redis did not answer in time; each is a refused call.',
});

const up = new Gauge({
  name: 'vaultsvc_redis_up',
  help: 'Whether all connections of the process to Redis are open and ready for commands.',
});

/** Those of the process: one for each of its services that uses Redis. */
const connections = new Set<RedisConnection>();

function showConnections(): void {
  up.set([...connections].every(({ isReady }) => isReady) ? 1 : 0);
}

/** The Redis of a service: one server, or a cluster. It reconnects for ever; commands fail at once while their server is down. */
export class RedisConnection {
  readonly isCluster: boolean;
  readonly names: KeyNames;
  readonly #servers: RedisServers;
  /** WAIT blocks a connection, so revocations have their own. */
  readonly #replicating: RedisServers | undefined;
  readonly #replication: Replication;
  readonly #timeout: CommandTimeout;
  readonly #logger = new Logger('redis');
  readonly #removeMetrics = addMetricSource({
    collect: () => Promise.resolve(showConnections()),
    forget: () => up.set(0),
  });

  constructor(private readonly config: RedisConfig) {
    const warn: ConnectionEvents['warn'] = (msg, error) => this.#logger.warn({ msg, err: error });
    this.isCluster = (config.REDIS_CLUSTER ?? []).length > 0;
    this.names = new KeyNames(this.isCluster);
    this.#timeout = new CommandTimeout(config.REDIS_ANSWER_MS);
    this.#servers = serversOf(config, warn);
    this.#replication = replicationOf(config);
    if (this.#replication.replicas > 0) this.#replicating = serversOf(config, warn);
    connections.add(this);
  }

  /** Waits 2 s for the first connections, or as long as for an answer. A service starts without Redis too; its readiness reports it. */
  async open(): Promise<void> {
    const connected = Promise.all([this.#servers.connect(), this.#replicating?.connect()]);
    let timer: NodeJS.Timeout | undefined;
    const withinMs = Math.max(FIRST_CONNECT_MS, this.config.REDIS_ANSWER_MS);
    const late = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([connected, late]);
    clearTimeout(timer);
  }

  /** Whether all connections are open and ready for commands. */
  get isReady(): boolean {
    return this.#servers.isReady && (this.#replicating?.isReady ?? true);
  }

  /** Closes the connections; pending commands fail. */
  close(): void {
    connections.delete(this);
    this.#removeMetrics();
    this.#timeout.stop();
    this.#servers.destroy();
    this.#replicating?.destroy();
  }

  /** Whether changes of credentials wait for replicas (REDIS_REVOCATION_REPLICAS). */
  get waitsForReplicas(): boolean {
    return this.#replicating !== undefined;
  }

  /**
   * Resolves while most servers answer. With one of three masters down a third of the calls is refused; were no copy of the service
   * ready, all of them would be.
   * @throws RedisUnavailable
   */
  async ping(): Promise<void> {
    const { members } = this.#servers;
    const pings = members.map((server) => this.#timeout.apply(server.send(['PING'])));
    const failures = (await Promise.allSettled(pings)).filter((ping) => ping.status === 'rejected');
    const cause = new AggregateError(failures.map(({ reason }) => reason as unknown));
    if (2 * failures.length >= members.length) throw this.#unavailable(this.#servers, cause);
    if (failures.length > 0) this.#servers.failed(cause);
  }

  /** Runs one command, whose first argument is a key. Throws RedisUnavailable for every failure, a late reply included. */
  async command(parts: string[]): Promise<RedisReply> {
    const [, key = ''] = parts;
    return this.#answered(this.#servers, this.#servers.send(parts, key));
  }

  /**
   * Runs a script by its SHA-1, or by its source where Redis has not cached it. Throws RedisUnavailable.
   * @param keys in a cluster the first one says where it runs
   */
  async run(script: RedisScript, keys: readonly string[], values: readonly string[]): Promise<RedisReply> {
    const [key = ''] = keys;
    const input = [String(keys.length), ...keys, ...values];
    try {
      return await this.#timeout.apply(this.#servers.send(['EVALSHA', script.sha, ...input], key));
    } catch (error) {
      if (!isScriptMissing(error)) throw this.#unavailable(this.#servers, error);
    }
    return this.#answered(this.#servers, this.#servers.send(['EVAL', script.source, ...input], key));
  }

  /**
   * As `run`, for a script that writes: resolves once as many replicas as REDIS_REVOCATION_REPLICAS says have the writes, too.
   * @throws RedisUnavailable, also when the server has them and too few replicas do
   */
  async runReplicated(
    script: RedisScript,
    keys: readonly [string],
    values: readonly string[],
  ): Promise<RedisReply> {
    const servers = this.#replicating;
    if (!servers) return this.run(script, keys, values);
    // By its source: a repetition would come after the WAIT.
    const parts = ['EVAL', script.source, String(keys.length), ...keys, ...values];
    return this.#answered(servers, servers.sendReplicated(parts, keys[0], this.#replication));
  }

  async #answered(servers: RedisServers, reply: Promise<RedisReply>): Promise<RedisReply> {
    try {
      return await this.#timeout.apply(reply);
    } catch (error) {
      throw this.#unavailable(servers, error);
    }
  }

  #unavailable(servers: RedisServers, cause: unknown): RedisUnavailable {
    servers.failed(cause);
    unavailableTotal.inc();
    return new RedisUnavailable('Redis is not available', { cause });
  }
}
