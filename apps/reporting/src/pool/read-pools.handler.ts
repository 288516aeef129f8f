import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readPools, type UsagePools } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { poolFigures } from '@vaultsvc/limits';
import { Handles } from '@vaultsvc/messaging';
import { PoolRepository } from './pool.repository.js';

@Controller()
export class ReadPools {
  constructor(
    private readonly database: Database,
    private readonly pools: PoolRepository,
  ) {}

  @Handles(readPools)
  async handle(_: Input<typeof readPools>, { credential }: AccountContext): Promise<UsagePools> {
    const { record } = await this.pools.current(this.database, credential.accountId);
    return poolFigures(record);
  }
}
