import { Injectable } from '@nestjs/common';
import type { AccountContext, Event } from '@vaultsvc/contracts';
import { sharingDisabled, sharingUpdated, type SharingAction } from '@vaultsvc/contracts/vaults';
import { Database, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import type { LockVault } from '../session/vault-access.js';
import { LinkRevocations } from '../link/link-revocations.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import { TransferRevocations } from '../transfer/transfer-revocations.js';
import { actOf } from './share-links.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

/** Changes of a durable share that is there, each while the caller's access token is held. */
@Injectable()
export class SharingChanges {
  constructor(
    private readonly database: Database,
    private readonly transactions: VaultTransactionQueue,
    private readonly vaults: VaultCounters,
    private readonly shares: ShareRepository,
    private readonly links: LinkRevocations,
    private readonly transfers: TransferRevocations,
    private readonly outbox: Outbox,
  ) {}

  /** Records that who may open it changes; sparks is told afterwards. False: this share has ended. */
  async update(
    ingot: IngotOfVault,
    linkId: string,
    lock: LockVault,
    context: AccountContext,
  ): Promise<boolean> {
    const isUpdated = await this.transactions.run(ingot, context.deadlineMs, async (tx) => {
      await lock(tx);
      if ((await this.shares.holdIngot(tx, ingot)) !== linkId) return false;
      await this.shares.touch(tx, ingot.ingotId);
      await this.#tell(tx, sharingUpdated, ingot, linkId, context);
      return true;
    });
    this.outbox.wake();
    return isUpdated;
  }

  /** Shreds what the link could open; then its link and the downloads that it gave out end. */
  async end(ingot: IngotOfVault, linkId: string, lock: LockVault, context: AccountContext): Promise<void> {
    await this.transactions.run(ingot, context.deadlineMs, async (tx) => {
      await lock(tx);
      await this.shares.holdIngot(tx, ingot);
      if (!(await this.shares.end(tx, ingot.ingotId, linkId))) return;
      await this.shares.touch(tx, ingot.ingotId);
      await this.#tell(tx, sharingDisabled, ingot, linkId, context);
    });
    this.outbox.wake();
    await this.followEnd(ingot, linkId, context);
  }

  /** Lets go of a share whose link was withdrawn: nobody disables what is over. */
  async forget(ingot: IngotOfVault, linkId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.vaults.lock(tx, [ingot.vaultId]);
      await this.shares.holdIngot(tx, ingot);
      await this.shares.end(tx, ingot.ingotId, linkId);
    });
  }

  /** What other services have of a share that has ended; never fails, 2 s at most. */
  async followEnd(ingot: IngotOfVault, linkId: string, context: AccountContext): Promise<void> {
    const { vaultId: vault_id } = ingot;
    await Promise.all([
      this.links.end({ ...actOf(ingot, linkId, context), reason: 'unshared' }, context.requestId),
      this.transfers.end({ vault_id, scope: 'dvak', subject_id: linkId }, context.requestId),
    ]);
  }

  async #tell(
    tx: Transaction,
    event: Event<SharingAction>,
    { vaultId, ingotId }: IngotOfVault,
    link_id: string,
    context: AccountContext,
  ): Promise<void> {
    const fact = { ...actionOf(context, vaultId), ingot_id: ingotId, link_id };
    await this.outbox.publish(tx, event, fact, context);
  }
}
