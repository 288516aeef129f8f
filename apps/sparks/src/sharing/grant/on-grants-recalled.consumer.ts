import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { grantsRecalled, type RecalledGrants } from '@vaultsvc/contracts/notify';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { GrantRecallRepository } from './grant-recall.repository.js';

/** Recalls the grants of a send that failed, whether they are minted yet or not (NTF-29). */
@Controller()
export class OnGrantsRecalled {
  constructor(private readonly recalls: GrantRecallRepository) {}

  @Consumes(grantsRecalled)
  async recall(deliveries: readonly Delivery<RecalledGrants>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) await this.recalls.recall(tx, payload, requestId);
  }
}
