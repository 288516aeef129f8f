import type { FixedWindow } from './fixed-window.js';
import type { RedisConnection } from './redis-connection.js';
import { WindowCounter } from './window-counter.js';

/** Counts calls of an account that the gateway cannot tell, in the window of its calls. `assertWithinLimit` refuses. */
export class AccountLimiter {
  readonly #counter: WindowCounter;

  constructor(private readonly redis: RedisConnection) {
    this.#counter = new WindowCounter(redis);
  }

  /**
   * Counts a call on an account (OPEN-10).
   * @param limit calls of one account in one minute
   * @throws RedisUnavailable
   */
  async count(accountId: string, limit: number): Promise<FixedWindow> {
    const counter = this.redis.names.callsOfAccount(accountId);
    return { of: 'account', limit, ...(await this.#counter.count(counter)) };
  }
}
