import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext, type CallContext, type Event } from '@vaultsvc/contracts';
import { vaultActionOf, type StructuredWrite } from '@vaultsvc/contracts/vaults';
import { statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { LockVault } from '../session/vault-authorizer.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import type { StructuredIdentity } from './structured-key.js';

type Work<T> = (tx: Transaction) => Promise<T>;

/** The figures of a write, for counters and pools. */
export type WriteTotals = Pick<StructuredWrite, 'version' | 'key_count' | 'stored_bytes' | 'written_bytes'>;

/**
 * Transactions that change structured ingots, one at a time per vault. The order of locks is that of every change of a
 * vault's contents: the row of the vault, the access token, the rows of ingots.
 */
@Injectable()
export class StructuredTransactions {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly counters: VaultCounters,
    private readonly outbox: Outbox,
  ) {}

  /** Throws VAULT_NOT_FOUND or AUTHENTICATION_ERROR when the vault or the token has ended, and what `work` throws. */
  run<T>(vault: VaultIdentity, lock: LockVault, { deadlineMs }: CallContext, work: Work<T>): Promise<T> {
    return this.transactions.run(vault, deadlineMs, (tx) => this.#run(tx, vault, lock, work));
  }

  /**
   * As `run`, for concurrent changes of which one wins (STR-16). Throws STRUCTURED_OVERTAKEN at once while another change
   * of this ingot is running, instead of queueing behind its 10,000 keys.
   */
  runExclusive<T>(
    ingot: StructuredIdentity,
    lock: LockVault,
    { deadlineMs }: CallContext,
    work: Work<T>,
  ): Promise<T> {
    return this.transactions.run(ingot, deadlineMs, async (tx) => {
      const [row] = await tx.query<{ is_acquired: boolean }>(tryLockIngot, [ingot.ingotId]);
      if (!row?.is_acquired) throw new AppError('STRUCTURED_OVERTAKEN');
      return this.#run(tx, ingot, lock, work);
    });
  }

  /** Counts a write and publishes its event. `ingots` is the change of their number. */
  async record(
    tx: Transaction,
    event: Event<StructuredWrite>,
    { vaultId, ingotId }: StructuredIdentity,
    { ingots, ...written }: WriteTotals & { readonly ingots: number },
    context: AccountContext,
  ): Promise<void> {
    await this.counters.addContent(tx, vaultId, ingots, written.stored_bytes);
    await this.counters.addTraffic(tx, [{ vaultId, ingotId, bytes: written.written_bytes, downloads: 0 }]);
    const payload = { ...vaultActionOf(context, vaultId), ingot_id: ingotId, ...written };
    await this.outbox.publish(tx, event, payload, context);
  }

  async #run<T>(tx: Transaction, { vaultId }: VaultIdentity, lock: LockVault, work: Work<T>): Promise<T> {
    await this.counters.lock(tx, [vaultId]);
    await lock(tx);
    return work(tx);
  }
}

// Never waited for, so it cannot deadlock. The end of the transaction releases it.
const tryLockIngot = statement(
  'vaults.claim-structured',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_acquired`,
);
