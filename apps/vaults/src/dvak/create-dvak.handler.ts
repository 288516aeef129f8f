import { Controller, Logger } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, type Input } from '@vaultsvc/contracts';
import {
  type CreatedDvak,
  createDvak,
  dvakCreated,
  type NewDvak,
  vaultActionOf,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lastCharacters, lookupHash, parseToken, type MintedToken } from '@vaultsvc/crypto/tokens';
import type { Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { wrapByDvak, type DvakTerms, type VaultIdentity } from '../keys/vault-key.js';
import { VaultOpener } from './vault-opener.js';
import { VaultRepository } from '../vault/vault.repository.js';
import { DvakRepository } from './dvak.repository.js';
import { DvakRevoker } from './dvak-revoker.js';
import { issueDvak } from './issue-dvak.js';
import { KeyHolders, type Holder } from './key-holders.js';
import { lockShared } from '../vault/vault-advisory-lock.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

const WARNING = 'Keep this key safe: it opens the vault. It is stored nowhere and is not shown again.';

@Controller()
export class CreateDvak {
  readonly #logger = new Logger('dvaks');

  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly vaults: VaultRepository,
    private readonly dvaks: DvakRepository,
    private readonly opener: VaultOpener,
    private readonly holders: KeyHolders,
    private readonly revoker: DvakRevoker,
    private readonly outbox: Outbox,
  ) {}

  @Handles(createDvak)
  async handle({ params, body }: Input<typeof createDvak>, context: AccountContext): Promise<CreatedDvak> {
    assertAdmin(context);
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    await this.vaults.assertKnown(vault);
    const holder = await this.holders.of(body, context);
    const terms = termsFor(body, holder, context);
    const vaultKey = await this.opener.openByVmk(parseToken('vmk', body.vmk), vault);
    try {
      let refusal: Error | undefined;
      const issued = await this.transactions.run(vault, context.deadlineMs, async (tx) => {
        const key = await this.#issue(tx, vault, terms, holder, vaultKey, context);
        tx.afterCommit(async () => {
          refusal = await this.#refusalAfterRemoval(body, vault, key.last_4_chars, context);
        });
        return key;
      });
      if (refusal) throw refusal;
      return {
        ...issued,
        ...holder,
        dvak_type: body.dvak_type,
        access_level: terms.accessLevel,
        warning: WARNING,
      };
    } finally {
      vaultKey.fill(0);
    }
  }

  /**
   * A user's removal revokes the keys that it sees; the user may have been removed just before this key was committed.
   * Resolves to the error of a key that was revoked for it.
   */
  async #refusalAfterRemoval(
    key: NewDvak,
    { vaultId }: VaultIdentity,
    last4: string,
    context: AccountContext,
  ): Promise<Error | undefined> {
    try {
      await this.holders.of(key, context);
      return undefined;
    } catch (error) {
      await this.#revoke({ vaultId, last4 }, context);
      return error as Error;
    }
  }

  /** Never fails: the caller does not receive this key, and only the removed user could use it. */
  async #revoke(key: { vaultId: string; last4: string }, context: AccountContext): Promise<void> {
    try {
      await this.revoker.revoke(key, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'DVAK_REVOKED') return; // by the removal
      const { requestId } = context;
      const ids = { vaultId: key.vaultId, requestId };
      this.#logger.warn({
        msg: 'a key that was not returned to its caller stays active',
        ...ids,
        err: error,
      });
    }
  }

  async #issue(
    tx: Transaction,
    vault: VaultIdentity,
    terms: DvakTerms,
    holder: Holder,
    vaultKey: Buffer,
    context: AccountContext,
  ): Promise<Pick<CreatedDvak, 'dvak_token' | 'last_4_chars' | 'created_at'>> {
    await lockShared(tx, vault);
    const action = { ...vaultActionOf(context, vault.vaultId), dvak_id: terms.dvakId };
    await this.outbox.publish(tx, dvakCreated, action, context);
    return issueDvak(async (token: MintedToken) => {
      const last4 = lastCharacters(token.text);
      const created_at = await this.dvaks.insert(tx, {
        ...vault,
        terms,
        authorizedUserEmail: holder.authorized_user_email,
        nhiDescription: holder.nhi_description,
        last4,
        lookup: lookupHash('dvak', token.bytes),
        wrappedKey: wrapByDvak(token.bytes, vault, terms, vaultKey),
      });
      return created_at === undefined
        ? undefined
        : { dvak_token: token.text, last_4_chars: last4, created_at };
    });
  }
}

/** A caller with a viewer seat can grant read access only, in any role (AUTH-35, AMB-18). */
function termsFor({ dvak_type, access_level }: NewDvak, holder: Holder, { credential }: AccountContext) {
  return {
    dvakId: newId('dvk_'),
    dvakType: dvak_type,
    authorizedUserId: holder.authorized_user_id,
    accessLevel: credential.seat === 'viewer' ? ('read' as const) : access_level,
  };
}
