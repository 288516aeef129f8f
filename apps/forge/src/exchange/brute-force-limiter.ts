import { Injectable } from '@nestjs/common';
import { LimiterUnavailable, type AppError } from '@vaultsvc/contracts';
import { AddressLimiter, isOverLimit, RateLimitExceeded, RedisUnavailable } from '@vaultsvc/limits';
import { ForgeConfig } from '../config.js';

/** The statuses of responses to a wrong ISTK or upload id. */
const LIMITED_STATUSES = new Set([401, 404]);

/**
 * Limits guesses of ISTKs and upload ids; transfers are not limited (OPEN-10). Each wrong guess counts on its address,
 * together with the address's calls to the API without an account.
 */
@Injectable()
export class BruteForceLimiter {
  constructor(
    private readonly config: ForgeConfig,
    private readonly addresses: AddressLimiter,
  ) {}

  isLimited({ status }: AppError): boolean {
    return LIMITED_STATUSES.has(status);
  }

  /** The error, or 429 in its place for an address over its limit, and while Redis is unavailable (ENV-36). */
  async limit(error: AppError, clientIp: string): Promise<AppError> {
    const perAddress = this.config.RATE_LIMIT_PER_IP_PER_MINUTE;
    try {
      const window = await this.addresses.count(clientIp, perAddress);
      return isOverLimit(window) ? new RateLimitExceeded(window) : error;
    } catch (failure) {
      if (failure instanceof RedisUnavailable) return new LimiterUnavailable({ cause: failure });
      throw failure;
    }
  }
}
