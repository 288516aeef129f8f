import { Inject, Injectable } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { deleteIngot, ingotDeleted, versionDropped, versionReleased } from '@vaultsvc/contracts/vaults';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import { FolderTree } from '../folder/folder-tree.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { TransferRevocations } from '../transfer/transfer-revocations.js';
import { IngotDeletionRepository } from './ingot-deletion.repository.js';
import { IngotFinder } from './ingot-finder.js';
import { WriteAccess } from './write-access.js';

@Injectable()
export class DeleteIngot {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(WriteAccess) private readonly access: WriteAccess,
    @Inject(IngotFinder) private readonly finder: IngotFinder,
    @Inject(FolderTree) private readonly tree: FolderTree,
    @Inject(IngotDeletionRepository) private readonly deletions: IngotDeletionRepository,
    @Inject(TransferRevocations) private readonly transfers: TransferRevocations,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  @Handles(deleteIngot)
  async handle({ params }: Input<typeof deleteIngot>, context: VaultContext): Promise<void> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    const hold = await this.access.check(vault, context);
    const { ingotId } = await this.finder.find(vault, params.ingot_id);
    await this.database.transaction(async (tx) => {
      await this.tree.hold(tx, vault); // its counters change: no shared lock of the vault comes first
      await hold(tx);
      await this.#delete(tx, vault, ingotId, context);
    });
    this.outbox.wake();
    const revocation = {
      vault_id: vault.vaultId,
      scope: 'ingot',
      seal_epoch: null,
      subject_id: ingotId,
    } as const;
    await this.transfers.end(revocation, context.requestId);
  }

  async #delete(
    tx: Transaction,
    vault: VaultIdentity,
    ingotId: string,
    context: VaultContext,
  ): Promise<void> {
    const { currentVersion, pendingVersion, sizeBytes } = await this.deletions.delete(tx, vault, ingotId);
    const of = { account_id: vault.accountId, vault_id: vault.vaultId, ingot_id: ingotId };
    const fact = { ...actionOf(context, vault.vaultId), ingot_id: ingotId };
    await this.outbox.publish(tx, ingotDeleted, fact, context);
    if (currentVersion !== null) {
      const release = {
        ...of,
        version_id: currentVersion,
        size_bytes: sizeBytes,
        reason: 'deleted',
      } as const;
      await this.outbox.publish(tx, versionReleased, release, context);
    }
    if (pendingVersion !== null)
      await this.outbox.publish(tx, versionDropped, { ...of, version_id: pendingVersion }, context);
  }
}
