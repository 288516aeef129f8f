import { Logger } from '@nestjs/common';
import { createClient } from 'redis';
import type { Secret } from '@vaultsvc/config';
import { Counter } from 'prom-client';
import { AnswerDeadline } from './answer-deadline.js';
import type { RedisScript } from './redis-script.js';

/** What a class of settings declares to use Redis. */
export interface RedisConfig {
  readonly REDIS_URL: Secret;
  /** 2,500 at most: a connection that is silent for longer is taken for dead. */
  readonly REDIS_ANSWER_MS: number;
}

/** Redis cannot be reached or did not answer in time. Callers refuse; nobody guesses (ENV-36). */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
}

export type RedisReply = string | number | null | readonly RedisReply[];

const FIRST_CONNECT_WITHIN_MS = 2_000;
/** A frozen Redis keeps its sockets open: what stays silent this long is connected anew. */
const PING_INTERVAL_MS = 1_000;
const SILENCE_MS_MAX = 3_000;
/** Commands under way at most, so that a silent Redis does not fill our memory. */
const QUEUE_MAX = 10_000;

const unavailable = new Counter({
  name: 'vaultsvc_limiter_unavailable_total',
  help: 'Commands that Redis did not answer in time; each is a refused call.',
});

/** The one connection of a process. It reconnects for ever and never queues while it is down. */
export class RedisConnection {
  readonly #client;
  readonly #deadline: AnswerDeadline;
  readonly #logger = new Logger('redis');

  constructor(config: RedisConfig) {
    this.#deadline = new AnswerDeadline(config.REDIS_ANSWER_MS);
    this.#client = createClient({
      url: config.REDIS_URL.reveal(),
      disableOfflineQueue: true,
      commandsQueueMaxLength: QUEUE_MAX,
      // Ours is AnswerDeadline; the client's own would make an abort signal and a timer for every command.
      commandOptions: { timeout: 0 },
      pingInterval: PING_INTERVAL_MS,
      socket: {
        connectTimeout: 1_000,
        socketTimeout: SILENCE_MS_MAX,
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1_000),
      },
    });
    this.#client.on('error', (error: unknown) => this.#logger.warn({ msg: 'connection', err: error }));
  }

  /** Gives a Redis that is there the time to answer; one that is not keeps nobody from starting (readiness says so). */
  async open(): Promise<void> {
    const connected = this.#client
      .connect()
      .catch((error: unknown) => this.#logger.warn({ msg: 'not connected', err: error }));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, FIRST_CONNECT_WITHIN_MS)));
    await Promise.race([connected, late]);
    clearTimeout(timer);
  }

  close(): void {
    this.#deadline.stop();
    if (this.#client.isOpen) this.#client.destroy();
  }

  async ping(): Promise<void> {
    await this.command(['PING']);
  }

  /** Runs one command. Throws RedisUnavailable for every failure and for an answer that comes late. */
  async command(parts: string[]): Promise<RedisReply> {
    try {
      return await this.#withinTime(parts);
    } catch (error) {
      throw refusal(error);
    }
  }

  /** Runs a script by its hash; a Redis that has restarted is sent the source once. */
  async run(script: RedisScript, keys: readonly string[], values: readonly string[]): Promise<RedisReply> {
    try {
      return await this.#withinTime(['EVALSHA', script.sha, String(keys.length), ...keys, ...values]);
    } catch (error) {
      if (!isUnknownScript(error)) throw refusal(error);
    }
    return this.command(['EVAL', script.source, String(keys.length), ...keys, ...values]);
  }

  #withinTime(parts: string[]): Promise<RedisReply> {
    return this.#deadline.bound(this.#client.sendCommand<RedisReply>(parts));
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

function refusal(cause: unknown): RedisUnavailable {
  unavailable.inc();
  return new RedisUnavailable('Redis is not available', { cause });
}
