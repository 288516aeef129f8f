import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { userRemoved, type UserInvited } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { IstkRevocationRepository } from '../istk/istk-revocation.repository.js';

/**
 * Revokes the URLs that were issued to users who leave an account, whatever opened the vault for them. vaults revokes their
 * delegated keys. Idempotent.
 */
@Controller()
export class OnUsersRemoved {
  constructor(private readonly istks: IstkRevocationRepository) {}

  @Consumes(userRemoved)
  async apply(deliveries: readonly Delivery<UserInvited>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { account_id: accountId, user_id: userId } = payload;
      await this.istks.revokeIssued(tx, { accountId, userId }, requestId);
    }
  }
}
