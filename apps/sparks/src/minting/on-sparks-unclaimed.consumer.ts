import { Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { sparksUnclaimed, type UnclaimedSparks } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { WithdrawalRepository } from './withdrawal.repository.js';

/** Removes what was minted for a retrieval that failed, however late vaults gets to tell it. */
@Injectable()
export class OnSparksUnclaimed {
  constructor(private readonly withdrawals: WithdrawalRepository) {}

  @Consumes(sparksUnclaimed)
  async withdraw(deliveries: readonly Delivery<UnclaimedSparks>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) await this.withdrawals.withdraw(tx, payload, requestId);
  }
}
