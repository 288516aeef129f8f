import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { dvakCreated, sharingEnabled, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lastCharacters, lookupHash } from '@vaultsvc/crypto/tokens';
import { ConcurrentModification, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { issueDvak } from '../dvak/issue-dvak.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { OpenVault } from '../session/vault-authorizer.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import { ShareKeyRepository, type WrappedShareKey } from '../dvak/share-key.repository.js';
import { ShareKeyCache, ShareKeyWrapper } from './share-keys.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';

/** Issues the share key of a vault when its first file is shared. Of concurrent calls, one inserts the key. */
@Injectable()
export class ShareKeyIssuer {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly counters: VaultCounters,
    private readonly rows: ShareKeyRepository,
    private readonly keys: ShareKeyCache,
    private readonly outbox: Outbox,
  ) {}

  /** Throws `KmsUnavailable`, VAULT_NOT_FOUND, or `ConcurrentModification` when the key was revoked in between. */
  async findOrIssue(vault: VaultIdentity, context: AccountContext): Promise<WrappedShareKey> {
    const key = (await this.rows.find(vault)) ?? (await this.#issue(vault, context));
    if (!key) throw new ConcurrentModification();
    return key;
  }

  async #issue(vault: VaultIdentity, context: AccountContext): Promise<WrappedShareKey | undefined> {
    const wrapped = await this.keys.generate(vault); // before the vault is locked: KMS may be slow
    await this.transactions.run(vault, context.deadlineMs, async (tx) => {
      const locked = await this.counters.lock(tx, [vault.vaultId]);
      if (locked.size === 0) throw new AppError('VAULT_NOT_FOUND');
      if (!(await this.rows.find(vault, tx))) await this.#insert(tx, vault, wrapped, context);
    });
    return this.rows.find(vault);
  }

  /** The token only gives the row its last letters, by which it is listed and revoked. It is stored nowhere. */
  async #insert(
    tx: Transaction,
    vault: VaultIdentity,
    wrapped: Buffer,
    context: AccountContext,
  ): Promise<void> {
    const keyId = newId('dvk_');
    await issueDvak(async ({ text, bytes }) => {
      const row = {
        ...vault,
        keyId,
        wrapped,
        last4: lastCharacters(text),
        lookup: lookupHash('dvak', bytes),
      };
      return (await this.rows.insert(tx, row)) || undefined;
    });
    const action = { ...vaultActionOf(context, vault.vaultId), dvak_id: keyId };
    await this.outbox.publish(tx, dvakCreated, action, context);
  }
}

/** Creates the durable shares of ingots. Only this needs the vault to be open, later uploads use the share key (TRAP 100). */
@Injectable()
export class ShareCreator {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly issuer: ShareKeyIssuer,
    private readonly keys: ShareKeyCache,
    private readonly shares: ShareRepository,
    private readonly wrapper: ShareKeyWrapper,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Inserts the share and wraps the keys of the ingot's versions, before the link exists. Returns the id of the link to
   * create. Throws `ConcurrentModification` when another call shared the ingot first, `KmsUnavailable`.
   */
  async create(ingot: IngotOfVault, { vaultKey, lock }: OpenVault, context: AccountContext): Promise<string> {
    const key = await this.issuer.findOrIssue(ingot, context);
    const linkId = randomUUID();
    await this.keys.withKey(ingot, key, (shareKey) =>
      this.transactions.run(ingot, context.deadlineMs, async (tx) => {
        await lock(tx);
        await this.shares.create(tx, ingot, { linkId, keyId: key.keyId });
        await this.wrapper.wrapAll(tx, ingot, vaultKey, shareKey);
        const payload = {
          ...vaultActionOf(context, ingot.vaultId),
          ingot_id: ingot.ingotId,
          link_id: linkId,
        };
        await this.outbox.publish(tx, sharingEnabled, payload, context);
      }),
    );
    return linkId;
  }
}
