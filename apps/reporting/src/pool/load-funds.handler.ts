import { Injectable } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { loadFunds, type FundsLoaded } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { FundsPublisher } from './funds-publisher.js';
import { PoolRepository } from './pool.repository.js';

@Injectable()
export class LoadFunds {
  constructor(
    private readonly database: Database,
    private readonly pools: PoolRepository,
    private readonly publisher: FundsPublisher,
  ) {}

  @Handles(loadFunds)
  async handle({ body }: Input<typeof loadFunds>): Promise<FundsLoaded> {
    await this.publisher.publish([await this.pools.current(this.database, body.account_id)]);
    return {};
  }
}
