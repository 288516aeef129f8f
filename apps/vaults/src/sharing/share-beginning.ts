import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { sharingEnabled } from '@vaultsvc/contracts/vaults';
import { ConcurrentModification, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import type { OpenVault } from '../session/vault-access.js';
import { ShareKeyIssue } from './share-key-issue.js';
import { ShareKeyRepository, type KeptShareKey } from './share-key.repository.js';
import { ShareKeys } from './share-keys.js';
import { ShareWraps } from './share-wraps.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

/** Begins to share ingots: here the vault has to be open, and never again until the share ends (TRAP 100). */
@Injectable()
export class ShareBeginning {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly issue: ShareKeyIssue,
    private readonly keyRows: ShareKeyRepository,
    private readonly keys: ShareKeys,
    private readonly shares: ShareRepository,
    private readonly wraps: ShareWraps,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Wraps the keys of the ingot's versions for a new link, whose id it gives: the wraps are there before the link is.
   * Throws `ConcurrentModification` when somebody shared it first, `KmsUnavailable`.
   */
  async begin(ingot: IngotOfVault, { vaultKey, lock }: OpenVault, context: AccountContext): Promise<string> {
    const kept = await this.issue.findOrMake(ingot, context);
    const linkId = randomUUID();
    await this.keys.lend(ingot, kept, (shareKey) =>
      this.transactions.run(ingot, context.deadlineMs, async (tx) => {
        await lock(tx);
        await this.#insert(tx, ingot, kept, linkId);
        await this.wraps.wrapAll(tx, ingot, vaultKey, shareKey);
        const fact = { ...actionOf(context, ingot.vaultId), ingot_id: ingot.ingotId, link_id: linkId };
        await this.outbox.publish(tx, sharingEnabled, fact, context);
      }),
    );
    this.outbox.wake();
    return linkId;
  }

  async #insert(tx: Transaction, ingot: IngotOfVault, kept: KeptShareKey, linkId: string): Promise<void> {
    if (!(await this.keyRows.hold(tx, kept))) throw new ConcurrentModification();
    if ((await this.shares.holdIngot(tx, ingot)) !== null) throw new ConcurrentModification();
    await this.shares.insert(tx, ingot, { linkId, keyId: kept.keyId });
    await this.shares.touch(tx, ingot.ingotId);
  }
}
