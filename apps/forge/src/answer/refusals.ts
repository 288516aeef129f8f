import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import {
  RateLimiter,
  isOverLimit,
  limiterUnavailable,
  RateLimitExceeded,
  RedisUnavailable,
} from '@vaultsvc/limits';
import { ForgeConfig } from '../config.js';

/** What guessing is answered with. */
const GUESSED = new Set([401, 404]);

/**
 * Transfers are not limited; answers that tell whether a guess was right are (OPEN-10). Each counts on its address,
 * with the calls that the address makes to the API without an account.
 */
@Injectable()
export class Refusals {
  constructor(
    private readonly config: ForgeConfig,
    private readonly limiter: RateLimiter,
  ) {}

  isLimited({ status }: AppError): boolean {
    return GUESSED.has(status);
  }

  /** The refusal, or that of the limiter in its place: also when there is no limiter to ask (ENV-36). */
  async limit(error: AppError, clientIp: string): Promise<AppError> {
    const perAddress = this.config.RATE_LIMIT_PER_IP_PER_MINUTE;
    const limits = { perAddress, perAccount: 0 }; // no account is counted here
    try {
      const admitted = await this.limiter.admit({ key: null, billable: false, clientIp, limits });
      return 'window' in admitted && isOverLimit(admitted.window)
        ? new RateLimitExceeded(admitted.window)
        : error;
    } catch (failure) {
      if (failure instanceof RedisUnavailable) return limiterUnavailable(perAddress);
      throw failure;
    }
  }
}
