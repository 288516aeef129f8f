import { Inject, Injectable } from '@nestjs/common';
import { FundsCache } from '@vaultsvc/limits';
import type { Funds } from './pool.repository.js';

/** Shows plans and pools to the gateway. Redis may lose them: the gateway then asks for them again. */
@Injectable()
export class FundsPublisher {
  constructor(@Inject(FundsCache) private readonly cache: FundsCache) {}

  /** @throws RedisUnavailable */
  async publish(funds: readonly Funds[]): Promise<void> {
    await Promise.all(funds.map(({ accountId, record }) => this.cache.put(accountId, record)));
  }
}
