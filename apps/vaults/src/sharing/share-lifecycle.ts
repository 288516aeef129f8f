import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { sharingDisabled, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { LinkRevoker } from './link-revoker.js';
import type { LockVault } from '../session/vault-authorizer.js';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import { linkActionOf } from './share-link-client.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';

/** Updates and ends durable shares. Transactions of callers also lock their access token. */
@Injectable()
export class ShareLifecycle {
  constructor(
    private readonly database: Database,
    private readonly transactions: VaultTransactionQueue,
    private readonly vaults: VaultCounters,
    private readonly shares: ShareRepository,
    private readonly links: LinkRevoker,
    private readonly transfers: ForgeRevocationClient,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Notes the time of a change of visibility or invites before sparks applies it. False when this share has ended. The event of
   * the change is that of sparks (`sparks.sparklink-updated`), in the transaction of the change.
   */
  async beginUpdate(
    ingot: IngotOfVault,
    linkId: string,
    lock: LockVault,
    context: AccountContext,
  ): Promise<boolean> {
    return this.transactions.run(ingot, context.deadlineMs, async (tx) => {
      await lock(tx);
      if ((await this.shares.lockIngot(tx, ingot)) !== linkId) return false;
      await this.shares.touch(tx, ingot.ingotId);
      return true;
    });
  }

  /** Deletes the wraps that the link could open, then ends the link and its downloads. */
  async end(ingot: IngotOfVault, linkId: string, lock: LockVault, context: AccountContext): Promise<void> {
    await this.transactions.run(ingot, context.deadlineMs, async (tx) => {
      await lock(tx);
      await this.shares.lockIngot(tx, ingot);
      if (!(await this.shares.end(tx, ingot.ingotId, linkId))) return;
      await this.shares.touch(tx, ingot.ingotId);
      const payload = {
        ...vaultActionOf(context, ingot.vaultId),
        ingot_id: ingot.ingotId,
        link_id: linkId,
      };
      await this.outbox.publish(tx, sharingDisabled, payload, context);
    });
    await this.endLink(ingot, linkId, context);
  }

  /** Ends a share whose link was revoked or never created, without an event: no caller disabled it. */
  async discard(ingot: IngotOfVault, linkId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.vaults.lock(tx, [ingot.vaultId]);
      await this.shares.lockIngot(tx, ingot);
      await this.shares.end(tx, ingot.ingotId, linkId);
    });
  }

  /** Ends the link at sparks and the downloads at forge of an ended share. Never fails; takes at most 2 s. */
  async endLink(ingot: IngotOfVault, linkId: string, context: AccountContext): Promise<void> {
    const { vaultId: vault_id } = ingot;
    await Promise.all([
      this.links.revoke({ ...linkActionOf(ingot, linkId, context), reason: 'unshared' }, context.requestId),
      this.transfers.revoke({ vault_id, scope: 'dvak', subject_id: linkId }, context.requestId),
    ]);
  }
}
