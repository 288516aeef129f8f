import { Injectable } from '@nestjs/common';
import type { VaultContext } from '@vaultsvc/contracts';
import { ingotDeleted, vaultActionOf } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { VaultIdentity } from '../keys/vault-key.js';
import { VersionLifecycle } from '../version/version-lifecycle.js';
import { IngotRepository } from '../ingot/ingot.repository.js';

/** Deletes single ingots with their counters and events. Ingots of a deleted vault are removed by `RemoveVaults`. */
@Injectable()
export class IngotDeletion {
  constructor(
    private readonly ingots: IngotRepository,
    private readonly lifecycle: VersionLifecycle,
    private readonly outbox: Outbox,
  ) {}

  /** The caller has locked the vault with `VaultCounters.lock`. Throws INGOT_NOT_FOUND or INGOT_UPLOADING (ING-37). */
  async delete(tx: Transaction, vault: VaultIdentity, ingotId: string, context: VaultContext): Promise<void> {
    const deleted = await this.ingots.delete(tx, vault, ingotId);
    const action = { ...vaultActionOf(context, vault.vaultId), ingot_id: ingotId };
    await this.outbox.publish(tx, ingotDeleted, action, context);
    const origin = { requestId: context.requestId, accountId: vault.accountId };
    await this.lifecycle.endAll(tx, { ...vault, ingotId }, deleted, origin);
  }
}
