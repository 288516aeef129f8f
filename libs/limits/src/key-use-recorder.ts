import { Logger } from '@nestjs/common';
import { USES_TTL_SECONDS } from './credential-cache.js';
import { USES } from './key-names.js';
import type { RedisConnection } from './redis-connection.js';

const WRITE_AFTER_MS = 1_000;
/** A longer command would delay the calls behind it. */
const USES_PER_COMMAND = 500;

/**
 * Writes the last uses of API keys in a cluster, where their hash and the counter of a call are on different servers. A use is in
 * Redis a second later at most; a killed process loses those of its last second.
 */
export class KeyUseRecorder {
  readonly #logger = new Logger('key-uses');
  #uses = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(private readonly redis: RedisConnection) {}

  /**
   * Notes a use.
   * @param at epoch seconds by the clock of Redis
   */
  note(apiKeyId: string, at: number): void {
    this.#uses.set(apiKeyId, at);
    if (!this.#isStopped) this.#timer ??= setTimeout(() => void this.#write(), WRITE_AFTER_MS).unref();
  }

  /** Writes the noted uses for the last time: those that fail then are lost. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing;
    await this.#write();
  }

  /** Uses whose write fails are kept for the next time. */
  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#writing = this.#writeNoted());
  }

  async #writeNoted(): Promise<void> {
    const uses = [...this.#uses];
    this.#uses = new Map();
    for (let i = 0; i < uses.length; i += USES_PER_COMMAND)
      await this.#send(uses.slice(i, i + USES_PER_COMMAND));
  }

  async #send(uses: readonly (readonly [string, number])[]): Promise<void> {
    try {
      await this.redis.command(['HSET', USES, ...uses.flatMap(([id, at]) => [id, String(at)])]);
      await this.redis.command(['EXPIRE', USES, String(USES_TTL_SECONDS)]);
    } catch (error) {
      this.#logger.warn({ msg: 'the last uses of API keys were not written', err: error });
      for (const [id, at] of uses) this.note(id, this.#uses.get(id) ?? at);
    }
  }
}
