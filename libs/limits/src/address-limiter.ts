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
  count(clientIp: string, limit: number): Promise<FixedWindow> {
    return this.#run(countOnAddress, clientIp, limit);
  }

  /** The window without a further call: of callers who share an address, only refused calls are counted (OPEN-10). */
  read(clientIp: string, limit: number): Promise<FixedWindow> {
    return this.#run(readOfAddress, clientIp, limit);
  }

  async #run(script: RedisScript, clientIp: string, limit: number): Promise<FixedWindow> {
    const reply = await this.redis.run(script, [addressCounter(clientIp)], []);
    const [used, resetsAt, now] = reply as [number, number, number];
    return { of: 'address', limit, used, resetsAt, now };
  }
}

const countOnAddress = new RedisScript(`${COUNT_IN_WINDOW}
return {count(KEYS[1]), ends, now}
`);

const readOfAddress = new RedisScript(`${COUNT_IN_WINDOW}
return {tonumber(redis.call('GET', KEYS[1] .. string.format('%d', ends)) or 0), ends, now}
`);
