import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext, type CallContext, type Event } from '@vaultsvc/contracts';
import type { StructuredWrite } from '@vaultsvc/contracts/vaults';
import { statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import type { LockVault } from '../session/vault-access.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import type { StructuredIdentity } from './structured-key.js';
import { VaultTransactions } from '../vault/vault-transactions.js';

type Work<T> = (tx: Transaction) => Promise<T>;

/** What a change leaves behind, for counters and pools. */
export type Written = Pick<StructuredWrite, 'version' | 'key_count' | 'stored_bytes' | 'written_bytes'>;

/**
 * Changes of structured ingots. In one vault they come one after the other: each holds the vault's row from its first
 * statement, then the token, then rows of ingots, as every change of a vault's contents does.
 */
@Injectable()
export class StructuredChanges {
  constructor(
    private readonly transactions: VaultTransactions,
    private readonly counters: VaultCounters,
    private readonly outbox: Outbox,
  ) {}

  /** Throws VAULT_NOT_FOUND or AUTHENTICATION_ERROR when vault or token have ended, and what `work` throws. */
  run<T>(vault: VaultIdentity, lock: LockVault, { deadlineMs }: CallContext, work: Work<T>): Promise<T> {
    return this.transactions.run(vault, deadlineMs, (tx) => this.#run(tx, vault, lock, work));
  }

  /**
   * As `run`, for changes of which one wins (STR-16): whoever finds another at this ingot has lost, and does not wait
   * behind 10,000 keys to be told so. Throws STRUCTURED_OVERTAKEN then.
   */
  runAlone<T>(
    ingot: StructuredIdentity,
    lock: LockVault,
    { deadlineMs }: CallContext,
    work: Work<T>,
  ): Promise<T> {
    return this.transactions.run(ingot, deadlineMs, async (tx) => {
      const [claim] = await tx.query<{ is_alone: boolean }>(claimIngot, [ingot.ingotId]);
      if (!claim?.is_alone) throw new AppError('STRUCTURED_OVERTAKEN');
      return this.#run(tx, ingot, lock, work);
    });
  }

  /** Counts a write and tells of it; `ingots` is how many there are more than before. */
  async record(
    tx: Transaction,
    event: Event<StructuredWrite>,
    { vaultId, ingotId }: StructuredIdentity,
    { ingots, ...written }: Written & { readonly ingots: number },
    context: AccountContext,
  ): Promise<void> {
    await this.counters.addContent(tx, vaultId, ingots, written.stored_bytes);
    await this.counters.addTraffic(tx, [{ vaultId, ingotId, bytes: written.written_bytes, downloads: 0 }]);
    const fact = { ...actionOf(context, vaultId), ingot_id: ingotId, ...written };
    await this.outbox.publish(tx, event, fact, context);
  }

  async #run<T>(tx: Transaction, { vaultId }: VaultIdentity, lock: LockVault, work: Work<T>): Promise<T> {
    await this.counters.hold(tx, [vaultId]);
    await lock(tx);
    const result = await work(tx);
    tx.afterCommit(async () => this.outbox.wake());
    return result;
  }
}

// Never waited for, so it takes no part in any circle of locks, and gone with the transaction.
const claimIngot = statement(
  'vaults.claim-structured',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_alone`,
);
