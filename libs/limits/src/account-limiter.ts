import { COUNT_IN_WINDOW, type FixedWindow } from './fixed-window.js';
import { RedisScript, type RedisConnection } from './redis-connection.js';

/** Counts calls of an account that the gateway cannot tell, in the window of its calls. `assertWithinLimit` refuses. */
export class AccountLimiter {
  constructor(private readonly redis: RedisConnection) {}

  /**
   * Counts a call on an account (OPEN-10).
   * @param limit calls of one account in one minute
   * @throws RedisUnavailable
   */
  async count(accountId: string, limit: number): Promise<FixedWindow> {
    const reply = await this.redis.run(countOnAccount, [`rl:${accountId}:`], []);
    const [used, resetsAt, now] = reply as [number, number, number];
    return { of: 'account', limit, used, resetsAt, now };
  }
}

const countOnAccount = new RedisScript(`${COUNT_IN_WINDOW}
return {count(KEYS[1]), ends, now}
`);
