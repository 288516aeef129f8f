import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { sparksUnclaimed, type UnclaimedSparks } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { SparkRemovalRepository } from '../spark-removal.repository.js';

/** Deletes the Sparks that were minted for a retrieval that failed. */
@Controller()
export class OnSparksUnclaimed {
  constructor(private readonly sparks: SparkRemovalRepository) {}

  @Consumes(sparksUnclaimed)
  async removeUnclaimed(deliveries: readonly Delivery<UnclaimedSparks>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries)
      await this.sparks.removeUnclaimed(tx, payload, requestId);
  }
}
