import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { dvakCreated } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lastLetters, lookupHash } from '@vaultsvc/crypto/tokens';
import { ConcurrentModification, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import { issueDvak } from '../dvak/issue-dvak.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import { ShareKeyRepository, type KeptShareKey } from './share-key.repository.js';
import { ShareKeys } from './share-keys.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

/** Makes the share key of a vault when its first file is shared; of two at once, one makes it. */
@Injectable()
export class ShareKeyIssue {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly counters: VaultCounters,
    private readonly rows: ShareKeyRepository,
    private readonly keys: ShareKeys,
    private readonly outbox: Outbox,
  ) {}

  /** Throws `KmsUnavailable`, VAULT_NOT_FOUND, or `ConcurrentModification` when it was revoked at the same moment. */
  async findOrMake(vault: VaultIdentity, context: AccountContext): Promise<KeptShareKey> {
    const found = (await this.rows.find(vault)) ?? (await this.#make(vault, context));
    if (!found) throw new ConcurrentModification();
    return found;
  }

  async #make(vault: VaultIdentity, context: AccountContext): Promise<KeptShareKey | undefined> {
    const wrapped = await this.keys.draw(vault); // before the vault is held: KMS may take its time
    await this.transactions.run(vault, context.deadlineMs, async (tx) => {
      const held = await this.counters.lock(tx, [vault.vaultId]);
      if (held.size === 0) throw new AppError('VAULT_NOT_FOUND');
      if (!(await this.rows.find(vault, tx))) await this.#insert(tx, vault, wrapped, context);
    });
    this.outbox.wake();
    return this.rows.find(vault);
  }

  /** The token gives the row its letters, by which it is listed and revoked, and opens nothing. */
  async #insert(
    tx: Transaction,
    vault: VaultIdentity,
    wrapped: Buffer,
    context: AccountContext,
  ): Promise<void> {
    const keyId = newId('dvk_');
    await issueDvak(async ({ text, bytes }) => {
      const row = { ...vault, keyId, wrapped, last4: lastLetters(text), lookup: lookupHash('dvak', bytes) };
      return (await this.rows.insert(tx, row)) || undefined;
    });
    const action = { ...actionOf(context, vault.vaultId), dvak_id: keyId };
    await this.outbox.publish(tx, dvakCreated, action, context);
  }
}
