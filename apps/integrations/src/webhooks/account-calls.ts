import { Injectable } from '@nestjs/common';
import { AccountLimiter, assertWithinLimit, limiterUnavailable, RedisUnavailable } from '@vaultsvc/limits';
import { IntegrationsConfig } from '../config.js';

/**
 * Counts verified requests of providers on their account, in the same window as its calls of the API (OPEN-10). The gateway
 * cannot: it does not know the account of a request that it has not verified.
 */
@Injectable()
export class AccountCalls {
  constructor(
    private readonly accounts: AccountLimiter,
    private readonly config: IntegrationsConfig,
  ) {}

  /** Throws RATE_LIMIT_EXCEEDED, also while Redis cannot count (AMB-02). */
  async count(accountId: string): Promise<void> {
    const limit = this.config.RATE_LIMIT_PER_MINUTE;
    const window = await this.accounts.count(accountId, limit).catch((error: unknown) => {
      throw error instanceof RedisUnavailable ? limiterUnavailable({ of: 'account', limit }) : error;
    });
    assertWithinLimit(window);
  }
}
