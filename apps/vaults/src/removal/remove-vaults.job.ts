import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { vaultRemoved } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { Repeating } from '@vaultsvc/service';
import type { VaultIdentity } from '../keys/vault-key.js';
import { RemovalRepository } from './removal.repository.js';

const INTERVAL_MS = 5_000;

/**
 * Removes what is left of deleted vaults, in batches that commit one by one: it may stop anywhere and goes on from
 * the rows that are there. Any number of copies may do so at once.
 */
@Injectable()
export class RemoveVaults implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('removal');
  readonly #repeating = new Repeating('remove-vaults', async () => {
    await this.run();
    return INTERVAL_MS;
  });

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(RemovalRepository) private readonly removals: RemovalRepository,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  onApplicationBootstrap(): void {
    this.#repeating.start(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }

  /** One round over the vaults that wait. */
  async run(): Promise<void> {
    for (const vault of await this.removals.marked()) await this.#removeOrLog(vault);
  }

  /** A vault that cannot be removed now keeps no other one waiting. */
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
    this.outbox.wake();
  }
}
