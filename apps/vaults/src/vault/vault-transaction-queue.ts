import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vaultsvc/database';
import { VaultsConfig } from '../config.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { PrioritySemaphore } from '../priority-semaphore.js';

/** The share of this instance's connection pool that transactions of one vault may use. */
const POOL_SHARE = 1 / 3;

interface Queue {
  readonly semaphore: PrioritySemaphore;
  users: number;
}

/**
 * Queues callers' transactions per vault, before they occupy a connection that other vaults need. Transactions that end
 * tokens do not queue here: a seal, a revocation or a deletion overtakes all queued ones.
 */
@Injectable()
export class VaultTransactionQueue {
  readonly #queues = new Map<string, Queue>();
  readonly #permits: number;

  constructor(
    private readonly database: Database,
    config: VaultsConfig,
  ) {
    this.#permits = Math.max(1, Math.floor(config.DATABASE_POOL_MAX * POOL_SHARE));
  }

  /** As `Database.transaction`. Throws `Busy` after half of the time to the deadline in the queue. */
  async run<T>(
    { accountId, vaultId }: VaultIdentity,
    deadlineMs: number,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const key = `${accountId} ${vaultId}`; // another account with this vault's id gets a queue of its own
    const queue = this.#queues.get(key) ?? { semaphore: new PrioritySemaphore(this.#permits), users: 0 };
    this.#queues.set(key, queue);
    queue.users += 1;
    try {
      return await queue.semaphore.run(1, deadlineMs, () => this.database.transaction(work));
    } finally {
      queue.users -= 1;
      if (queue.users === 0) this.#queues.delete(key);
    }
  }
}
