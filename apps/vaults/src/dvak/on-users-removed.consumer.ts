import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { userRemoved, type UserInvited } from '@vaultsvc/contracts/auth';
import { dvakRevoked } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes, Outbox } from '@vaultsvc/messaging';
import { TransferRevocations } from '../transfer/transfer-revocations.js';
import { RevocationRepository } from './revocation.repository.js';

/** Whoever leaves an account leaves no key behind: theirs are of use to nobody and stay open for none. */
@Injectable()
export class OnUsersRemoved {
  constructor(
    @Inject(RevocationRepository) private readonly revocations: RevocationRepository,
    @Inject(TransferRevocations) private readonly transfers: TransferRevocations,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  @Consumes(userRemoved)
  async apply(deliveries: readonly Delivery<UserInvited>[], tx: Transaction): Promise<void> {
    const users = deliveries.map(({ payload }) => payload);
    await this.revocations.takeTurns(tx, users);
    const ended: (() => Promise<void>)[] = [];
    for (const delivery of deliveries) ended.push(...(await this.#revoke(tx, delivery)));
    tx.afterCommit(async () => this.outbox.wake());
    // At once: a forge that does not answer keeps the next batch waiting for 2 s, not for 2 s a key.
    tx.afterCommit(async () => void (await Promise.all(ended.map((end) => end()))));
  }

  /** What is left to do after the commit, for each key. */
  async #revoke(tx: Transaction, { requestId, payload }: Delivery<UserInvited>) {
    const { account_id, actor_id } = payload;
    const actor_type = actor_id.startsWith('key_') ? 'api_key' : 'session';
    const keys = await this.revocations.revokeOfUser(tx, payload);
    for (const { id, vault_id } of keys) {
      const action = { vault_id, account_id, actor_type, actor_id, dvak_id: id } as const;
      await this.outbox.publish(tx, dvakRevoked, action, { requestId, accountId: account_id });
    }
    return keys.map(
      ({ id: subject_id, vault_id }) =>
        () =>
          this.transfers.end({ vault_id, scope: 'dvak', subject_id }, requestId ?? 'users-removed'),
    );
  }
}
