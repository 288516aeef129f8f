import type { FixedWindow } from './fixed-window.js';
import type { RedisConnection } from './redis-connection.js';
import { WindowCounter } from './window-counter.js';

/** Fixed-window counter of the calls of one network address. It only counts; `assertWithinLimit` refuses. */
export class AddressLimiter {
  readonly #counter: WindowCounter;

  constructor(private readonly redis: RedisConnection) {
    this.#counter = new WindowCounter(redis);
  }

  /**
   * Counts a call on its address (OPEN-10).
   * @param limit calls of one address in one minute
   * @throws RedisUnavailable
   */
  async count(clientIp: string, limit: number): Promise<FixedWindow> {
    const counter = this.redis.names.callsOfAddress(clientIp);
    return { of: 'address', limit, ...(await this.#counter.count(counter)) };
  }

  /** The window without a further call: of callers who share an address, only refused calls are counted (OPEN-10). */
  async read(clientIp: string, limit: number): Promise<FixedWindow> {
    const counter = this.redis.names.callsOfAddress(clientIp);
    return { of: 'address', limit, ...(await this.#counter.read(counter)) };
  }
}
