import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { userRemoved, type UserInvited } from '@vaultsvc/contracts/auth';
import { dvakRevoked } from '@vaultsvc/contracts/vaults';
import { Database, type Transaction } from '@vaultsvc/database';
import { ConsumesPartitioned, Outbox } from '@vaultsvc/messaging';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { RevocationRepository, type RevokedKey } from './revocation.repository.js';

/** A revoked key, and the request that revoked it. */
type Ended = RevokedKey & { readonly requestId: string };

/**
 * Revokes the keys of users who leave an account. Each vault has a transaction of its own, so that a busy vault delays
 * neither the others nor their callers. Redelivery is idempotent: revoked keys are skipped.
 */
@Controller()
export class OnUsersRemoved {
  constructor(
    private readonly database: Database,
    private readonly revocations: RevocationRepository,
    private readonly transfers: ForgeRevocationClient,
    private readonly outbox: Outbox,
  ) {}

  @ConsumesPartitioned('account_id', userRemoved)
  async apply(deliveries: readonly Delivery<UserInvited>[], tx: Transaction): Promise<void> {
    const [revoked, failures]: [Ended[], unknown[]] = [[], []];
    for (const delivery of deliveries)
      for (const vaultId of await this.revocations.vaultsOf(tx, delivery.payload))
        await this.#leave(vaultId, delivery).then(
          (keys) => revoked.push(...keys),
          (error: unknown) => failures.push(error),
        );
    if (failures.length > 0) throw failures[0]; // redelivered; forge ends the transfers of revoked keys by their events
    // In parallel: an unresponsive forge delays the next batch by 2 s, not by 2 s a key.
    tx.afterCommit(async () => void (await Promise.all(revoked.map((key) => this.#endTransfers(key)))));
  }

  async #leave(vaultId: string, delivery: Delivery<UserInvited>): Promise<readonly Ended[]> {
    const keys = await this.database.transaction((tx) => this.#revoke(tx, vaultId, delivery));
    return keys.map((key) => ({ ...key, requestId: delivery.requestId ?? 'users-removed' }));
  }

  async #revoke(
    tx: Transaction,
    vaultId: string,
    { requestId, payload }: Delivery<UserInvited>,
  ): Promise<readonly RevokedKey[]> {
    const { account_id, actor_id, actor } = payload;
    const actor_type = actor_id.startsWith('key_') ? 'api_key' : 'session';
    const keys = await this.revocations.revokeOfUser(tx, vaultId, payload);
    for (const { id, vault_id } of keys) {
      const action = { vault_id, account_id, actor_type, actor_id, actor, dvak_id: id } as const;
      await this.outbox.publish(tx, dvakRevoked, action, { requestId, accountId: account_id });
    }
    return keys;
  }

  async #endTransfers({ id: subject_id, vault_id, requestId }: Ended): Promise<void> {
    await this.transfers.revoke({ vault_id, scope: 'dvak', subject_id }, requestId);
  }
}
