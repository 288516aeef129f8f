import { addressCounter, COUNT_IN_WINDOW, type FixedWindow } from './fixed-window.js';
import { RedisScript, type RedisConnection } from './redis-connection.js';

/** Fixed-window counter of the calls of one network address. It only counts; `assertWithinLimit` refuses. */
export class AddressLimiter {
  constructor(private readonly redis: RedisConnection) {}

  /**
   * Counts a call on its address (OPEN-10).
   * @param limit calls of one address in one minute
   * @throws RedisUnavailable
   */
  async count(clientIp: string, limit: number): Promise<FixedWindow> {
    const reply = await this.redis.run(countOnAddress, [addressCounter(clientIp)], []);
    const [used, resetsAt, now] = reply as [number, number, number];
    return { of: 'address', limit, used, resetsAt, now };
  }
}

const countOnAddress = new RedisScript(`${COUNT_IN_WINDOW}
return {count(KEYS[1]), ends, now}
`);
