import { Injectable } from '@nestjs/common';
import type { VaultContext } from '@vaultsvc/contracts';
import { ingotDeleted, vaultActionOf, versionDropped, versionReleased } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { VaultIdentity } from '../keys/vault-key.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import { refOf } from '../version/version-mapping.js';
import { IngotDeletionRepository, type DeletedIngot } from './ingot-deletion.repository.js';

/** The end of one ingot, with its counters and events in one transaction. With a vault they go by its removal. */
@Injectable()
export class IngotDeletion {
  constructor(
    private readonly ingots: IngotDeletionRepository,
    private readonly counters: VaultCounters,
    private readonly outbox: Outbox,
  ) {}

  /** Of a vault that `VaultCounters` holds. Throws INGOT_NOT_FOUND or INGOT_UPLOADING (ING-37). */
  async delete(tx: Transaction, vault: VaultIdentity, ingotId: string, context: VaultContext): Promise<void> {
    const deleted = await this.ingots.delete(tx, vault, ingotId);
    const fact = { ...vaultActionOf(context, vault.vaultId), ingot_id: ingotId };
    await this.outbox.publish(tx, ingotDeleted, fact, context);
    await this.#endVersions(tx, { ...vault, ingotId }, deleted, context);
    tx.afterCommit(async () => this.outbox.wake());
  }

  async #endVersions(
    tx: Transaction,
    ids: VaultIdentity & { ingotId: string },
    { currentVersion, pendingVersion, sizeBytes }: DeletedIngot,
    context: VaultContext,
  ): Promise<void> {
    if (currentVersion !== null) {
      await this.counters.addContent(tx, ids.vaultId, -1, -sizeBytes);
      const fact = { ...refOf({ ...ids, versionId: currentVersion }), size_bytes: sizeBytes };
      await this.outbox.publish(
        tx,
        versionReleased,
        { ...fact, reason: 'deleted', kept_until: null },
        context,
      );
    }
    if (pendingVersion !== null)
      await this.outbox.publish(tx, versionDropped, refOf({ ...ids, versionId: pendingVersion }), context);
  }
}
