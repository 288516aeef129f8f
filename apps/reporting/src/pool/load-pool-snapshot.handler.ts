import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { loadPoolSnapshot, type PoolSnapshotLoaded } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { PoolSnapshotPublisher } from './pool-snapshot-publisher.js';
import { PoolRepository } from './pool.repository.js';

@Controller()
export class LoadPoolSnapshot {
  constructor(
    private readonly database: Database,
    private readonly pools: PoolRepository,
    private readonly publisher: PoolSnapshotPublisher,
  ) {}

  @Handles(loadPoolSnapshot)
  async handle({ body }: Input<typeof loadPoolSnapshot>): Promise<PoolSnapshotLoaded> {
    await this.publisher.publish([await this.pools.current(this.database, body.account_id)]);
    return {};
  }
}
