import { Injectable, Logger } from '@nestjs/common';
import { vaultRemoved } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { VaultIdentity } from '../keys/vault-key.js';
import { RemovalRepository } from './removal.repository.js';

/**
 * Removes the rows of deleted vaults in batches of one transaction each. After a crash it continues with the remaining
 * rows. Several instances may run at once.
 */
@Injectable()
export class RemoveVaults {
  readonly everySeconds = 5;
  readonly #logger = new Logger('removal');

  constructor(
    private readonly database: Database,
    private readonly removals: RemovalRepository,
    private readonly outbox: Outbox,
  ) {}

  /** One pass over the marked vaults. */
  async run(): Promise<void> {
    for (const vault of await this.removals.marked()) await this.#removeOrLog(vault);
  }

  /** A failing vault does not delay the others. */
  async #removeOrLog(vault: VaultIdentity): Promise<void> {
    try {
      await this.#remove(vault);
    } catch (error) {
      this.#logger.error({
        msg: 'a deleted vault could not be removed yet',
        vaultId: vault.vaultId,
        err: error,
      });
    }
  }

  async #remove(vault: VaultIdentity): Promise<void> {
    while (await this.removals.removeBatch(vault));
    await this.database.transaction(async (tx) => {
      if (!(await this.removals.remove(tx, vault))) return;
      const { vaultId: vault_id, accountId } = vault;
      const origin = { requestId: null, accountId };
      await this.outbox.publish(tx, vaultRemoved, { vault_id, account_id: accountId }, origin);
    });
  }
}
