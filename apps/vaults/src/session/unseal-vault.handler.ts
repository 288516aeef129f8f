import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import {
  dvakUsed,
  type UnsealedVault,
  unsealVault,
  vaultActionOf,
  vaultUnsealed,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintToken, type MintedToken } from '@vaultsvc/crypto/tokens';
import type { Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { DvakRepository } from '../dvak/dvak.repository.js';
import { wrapByVat, type VatTerms, type VaultIdentity } from '../keys/vault-key.js';
import { presentedKey } from '../dvak/presented-key.js';
import { SessionRepository } from './session.repository.js';
import { VaultOpener, type Opened } from '../dvak/vault-opener.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

const WARNING =
  'Keep this token safe: it opens the vault until it expires. It is stored nowhere and is not shown again.';

const MICROS_PER_SECOND = 1_000_000;

/**
 * Exchanges a key for a Vault Access Token. Nothing is written before the key has opened the vault, so only successful
 * calls count.
 */
@Controller()
export class UnsealVault {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly opener: VaultOpener,
    private readonly sessions: SessionRepository,
    private readonly dvaks: DvakRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(unsealVault)
  async handle({ params, body }: Input<typeof unsealVault>, context: AccountContext): Promise<UnsealedVault> {
    const { vault_id } = params;
    const vault = { vaultId: vault_id, accountId: context.credential.accountId };
    const { ttl_seconds } = body;
    const opened = await this.opener.open(presentedKey(body), context, vault_id);
    const vat = mintToken('vat');
    try {
      const issued_at = await this.transactions.run(vault, context.deadlineMs, (tx) =>
        this.#openSession(tx, vat, vault, ttl_seconds, opened, context),
      );
      const expires_at = issued_at + ttl_seconds;
      return { vat: vat.text, vault_id, issued_at, expires_at, ttl_seconds, warning: WARNING };
    } finally {
      opened.vaultKey.fill(0);
      vat.bytes.fill(0);
    }
  }

  /** The time of issue in epoch seconds. Locks the vault's row, then the key's, in the order of a deletion. */
  async #openSession(
    tx: Transaction,
    vat: MintedToken,
    vault: VaultIdentity,
    ttlSeconds: number,
    { vaultKey, ...opened }: Opened,
    context: AccountContext,
  ): Promise<number> {
    const { sealEpoch, at } = await this.sessions.beginUnseal(tx, vault);
    if (opened.dvakId !== null) await this.dvaks.use(tx, opened.dvakId);
    const terms: VatTerms = {
      ...opened,
      vatId: newId('vts_'),
      sealEpoch,
      issuedAtMicros: at * MICROS_PER_SECOND,
      expiresAtMicros: (at + ttlSeconds) * MICROS_PER_SECOND,
    };
    const wrapped = wrapByVat(vat.bytes, vault, terms, vaultKey);
    await this.sessions.insert(tx, lookupHash('vat', vat.bytes), vault, terms, wrapped);
    await this.#publish(tx, vault.vaultId, opened.dvakId, context);
    return at;
  }

  async #publish(
    tx: Transaction,
    vaultId: string,
    dvakId: string | null,
    context: AccountContext,
  ): Promise<void> {
    const action = vaultActionOf(context, vaultId);
    await this.outbox.publish(tx, vaultUnsealed, { ...action, dvak_id: dvakId }, context);
    if (dvakId !== null) await this.outbox.publish(tx, dvakUsed, { ...action, dvak_id: dvakId }, context);
  }
}
