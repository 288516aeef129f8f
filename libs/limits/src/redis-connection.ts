import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { addMetricSource } from '@vaultsvc/telemetry';
import { Counter, Gauge } from 'prom-client';
import { CommandTimeout } from './command-timeout.js';
import { isFromReplica } from './primary-lookup.js';
import { RedisClient, type RedisConfig } from './redis-client.js';

/** Redis is unreachable or did not reply in time. The caller's request is refused (ENV-36). */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
}

export type RedisReply = string | number | null | readonly RedisReply[];

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

/** A Lua script with its SHA-1, by which Redis caches it. Redis executes a script atomically. */
export class RedisScript {
  readonly sha: string;

  constructor(readonly source: string) {
    this.sha = createHash('sha1').update(source).digest('hex');
  }
}

/** The one Redis connection of a service. It reconnects for ever; commands fail at once while it is down. */
export class RedisConnection {
  readonly #client;
  readonly #timeout: CommandTimeout;
  readonly #logger = new Logger('redis');
  readonly #removeMetrics = addMetricSource({
    collect: () => Promise.resolve(showConnections()),
    forget: () => up.set(0),
  });

  constructor(private readonly config: RedisConfig) {
    this.#timeout = new CommandTimeout(config.REDIS_ANSWER_MS);
    this.#client = new RedisClient(config, (msg, error) => this.#logger.warn({ msg, err: error }));
    connections.add(this);
  }

  /** Waits 2 s for the first connection, or as long as for an answer. A service starts without Redis too; its readiness reports it. */
  async open(): Promise<void> {
    const connected = this.#client.connect();
    let timer: NodeJS.Timeout | undefined;
    const withinMs = Math.max(FIRST_CONNECT_MS, this.config.REDIS_ANSWER_MS);
    const late = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([connected, late]);
    clearTimeout(timer);
  }

  /** Whether it is open and ready for commands. */
  get isReady(): boolean {
    return this.#client.isReady;
  }

  /** Closes the connection; pending commands fail. */
  close(): void {
    connections.delete(this);
    this.#removeMetrics();
    this.#timeout.stop();
    this.#client.destroy();
  }

  /** Throws RedisUnavailable. */
  async ping(): Promise<void> {
    await this.command(['PING']);
  }

  /** Runs one command. Throws RedisUnavailable for every failure, a late reply included. */
  async command(parts: string[]): Promise<RedisReply> {
    try {
      return await this.#send(parts);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** Runs a script by its SHA-1, or by its source where Redis has not cached it. Throws RedisUnavailable. */
  async run(script: RedisScript, keys: readonly string[], values: readonly string[]): Promise<RedisReply> {
    try {
      return await this.#send(['EVALSHA', script.sha, String(keys.length), ...keys, ...values]);
    } catch (error) {
      if (!isScriptMissing(error)) throw this.#unavailable(error);
    }
    return this.command(['EVAL', script.source, String(keys.length), ...keys, ...values]);
  }

  #send(parts: string[]): Promise<RedisReply> {
    return this.#timeout.apply(this.#client.send<RedisReply>(parts));
  }

  /** The refusal of a server that is no primary any more ends the connection to it. */
  #unavailable(cause: unknown): RedisUnavailable {
    if (isFromReplica(cause)) this.#client.reconnect();
    unavailableTotal.inc();
    return new RedisUnavailable('Redis is not available', { cause });
  }
}

function isScriptMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
