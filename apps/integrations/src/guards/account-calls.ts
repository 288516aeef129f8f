import { Injectable } from '@nestjs/common';
import { AppError, LimiterUnavailable } from '@vaultsvc/contracts';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { AccountLimiter, assertWithinLimit, RedisUnavailable } from '@vaultsvc/limits';
import { IntegrationsConfig } from '../config.js';

/**
 * Counts verified requests of providers: on their account, in the same window as its calls of the API, or on their workspace,
 * portal or org while it is not connected (OPEN-10). The gateway cannot: it does not know of whom a request is that it has not
 * verified, and the providers share addresses.
 */
@Injectable()
export class AccountCalls {
  constructor(
    private readonly limiter: AccountLimiter,
    private readonly config: IntegrationsConfig,
  ) {}

  /** Throws RATE_LIMIT_EXCEEDED, and LIMITER_UNAVAILABLE while Redis cannot count (AMB-02). */
  count(accountId: string): Promise<void> {
    return this.#count(accountId);
  }

  /** The same limit for each workspace, portal or org that no account has connected. */
  countUnconnected(appId: AppId, remoteId: string): Promise<void> {
    return this.#count(`${appId} ${remoteId}`);
  }

  /** Counts a request of what is not connected, and refuses it. */
  async refuse(appId: AppId, remoteId: string): Promise<never> {
    await this.countUnconnected(appId, remoteId);
    throw new AppError('VERIFIED_REQUEST_REFUSED');
  }

  async #count(name: string): Promise<void> {
    const limit = this.config.RATE_LIMIT_PER_MINUTE;
    const window = await this.limiter.count(name, limit).catch((error: unknown) => {
      throw error instanceof RedisUnavailable ? new LimiterUnavailable({ cause: error }) : error;
    });
    assertWithinLimit(window);
  }
}
