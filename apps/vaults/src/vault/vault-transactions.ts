import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vaultsvc/database';
import { VaultsConfig } from '../config.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { Lane } from '../lane.js';

/** Of the connections of this copy, how many the transactions of one vault may have. */
const SHARE = 1 / 3;

interface Queue {
  readonly lane: Lane;
  users: number;
}

/**
 * Transactions of callers who may have to wait for others at the same vault: they wait here, in their order, and not with
 * a connection each that other vaults need. What ends tokens does not queue here: a seal, a revocation or a deletion
 * comes before everybody who still waits.
 */
@Injectable()
export class VaultTransactions {
  readonly #queues = new Map<string, Queue>();
  readonly #places: number;

  constructor(
    private readonly database: Database,
    config: VaultsConfig,
  ) {
    this.#places = Math.max(1, Math.floor(config.DATABASE_POOL_MAX * SHARE));
  }

  /** As `Database.transaction`. Throws `Busy` when half of the time until the deadline was not enough to wait. */
  async run<T>(
    { accountId, vaultId }: VaultIdentity,
    deadlineMs: number,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const vault = `${accountId} ${vaultId}`; // who only names the vault of another account waits with nobody of it
    const queue = this.#queues.get(vault) ?? { lane: new Lane(this.#places), users: 0 };
    this.#queues.set(vault, queue);
    queue.users += 1;
    try {
      return await queue.lane.run(1, deadlineMs, () => this.database.transaction(work));
    } finally {
      queue.users -= 1;
      if (queue.users === 0) this.#queues.delete(vault);
    }
  }
}
