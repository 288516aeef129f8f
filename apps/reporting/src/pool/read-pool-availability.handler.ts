import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readPoolAvailability, type AccountPoolAvailability } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { PoolRepository } from './pool.repository.js';

@Controller()
export class ReadPoolAvailability {
  constructor(
    private readonly database: Database,
    private readonly pools: PoolRepository,
  ) {}

  @Handles(readPoolAvailability)
  async handle({ body }: Input<typeof readPoolAvailability>): Promise<AccountPoolAvailability> {
    const { record } = await this.pools.current(this.database, body.account_id);
    const { plan, storage, bandwidth } = record;
    return {
      plan,
      is_storage_exhausted: storage.used >= storage.limit,
      is_bandwidth_exhausted: bandwidth.used >= bandwidth.limit,
    };
  }
}
