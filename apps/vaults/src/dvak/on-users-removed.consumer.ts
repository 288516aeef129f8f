import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { userRemoved, type UserInvited } from '@vaultsvc/contracts/auth';
import { dvakRevoked } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes, Outbox } from '@vaultsvc/messaging';
import { RevocationRepository } from './revocation.repository.js';

/** Whoever leaves an account leaves no key behind: theirs are of use to nobody and stay open for none. */
@Injectable()
export class OnUsersRemoved {
  constructor(
    @Inject(RevocationRepository) private readonly revocations: RevocationRepository,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  @Consumes(userRemoved)
  async apply(deliveries: readonly Delivery<UserInvited>[], tx: Transaction): Promise<void> {
    for (const delivery of deliveries) await this.#revoke(tx, delivery);
    tx.afterCommit(async () => this.outbox.wake());
  }

  async #revoke(tx: Transaction, { requestId, payload }: Delivery<UserInvited>): Promise<void> {
    const { account_id, user_id, actor_id } = payload;
    const actor_type = actor_id.startsWith('key_') ? 'api_key' : 'session';
    for (const { id, vault_id } of await this.revocations.revokeOfUser(tx, account_id, user_id)) {
      const action = { vault_id, account_id, actor_type, actor_id, dvak_id: id } as const;
      await this.outbox.publish(tx, dvakRevoked, action, { requestId, accountId: account_id });
    }
  }
}
