import { Inject, Injectable } from '@nestjs/common';
import { validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { createDvak, dvakCreated, type CreatedDvak, type NewDvak } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lastLetters, lookupHash, parseToken, type MintedToken } from '@vaultsvc/crypto/tokens';
import type { Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actionOf, assertAdmin } from '../actor.js';
import { wrapByDvak, type DvakTerms, type VaultIdentity } from '../keys/vault-key.js';
import { VaultOpener } from '../session/vault-opener.js';
import { VaultRepository } from '../vault/vault.repository.js';
import { AccountUsers } from './account-users.js';
import { DvakRepository } from './dvak.repository.js';
import { issueDvak } from './issue-dvak.js';
import { RevokeDvak } from './revoke-dvak.handler.js';
import { VaultTransactions } from '../vault/vault-transactions.js';

const WARNING =
  'Keep this key safe: whoever may use it opens the vault with it. It is stored nowhere and is not shown again.';

/** Whom a key is for. */
interface Holder {
  readonly authorized_user_id: string | null;
  readonly authorized_user_email: string | null;
  readonly nhi_description: string | null;
}

@Injectable()
export class CreateDvak {
  constructor(
    @Inject(VaultTransactions) private readonly transactions: VaultTransactions,
    @Inject(VaultRepository) private readonly vaults: VaultRepository,
    @Inject(DvakRepository) private readonly dvaks: DvakRepository,
    @Inject(VaultOpener) private readonly opener: VaultOpener,
    @Inject(AccountUsers) private readonly users: AccountUsers,
    @Inject(RevokeDvak) private readonly revocation: RevokeDvak,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  @Handles(createDvak)
  async handle({ params, body }: Input<typeof createDvak>, context: AccountContext): Promise<CreatedDvak> {
    assertAdmin(context);
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    await this.vaults.assertKnown(vault);
    const holder = body.dvak_type === 'user' ? await this.#person(body, context) : program(body);
    const terms = termsFor(body, holder, context);
    const vaultKey = await this.opener.openByVmk(parseToken('vmk', body.vmk), vault);
    try {
      const issued = await this.transactions.run(vault, context.deadlineMs, (tx) =>
        this.#issue(tx, vault, terms, holder, vaultKey, context),
      );
      this.outbox.wake();
      if (body.dvak_type === 'user') await this.#assertStill(body, vault, issued.last_4_chars, context);
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

  async #person({ authorized_user_id: id }: NewDvak, context: AccountContext): Promise<Holder> {
    if (!id) throw missing('authorized_user_id');
    const email = await this.users.emailOf(id, context);
    if (email === null)
      throw validationError({ field: 'authorized_user_id', message: 'must be a user of this account' });
    return { authorized_user_id: id, authorized_user_email: email, nhi_description: null };
  }

  /** The removal of a person ends the keys that are there when it is told of: this one may have come after that. */
  async #assertStill(
    key: NewDvak,
    { vaultId: vault_id }: VaultIdentity,
    last4: string,
    context: AccountContext,
  ): Promise<void> {
    try {
      await this.#person(key, context);
    } catch (error) {
      const params = { vault_id, last4 };
      await this.revocation.handle({ params, query: undefined, body: undefined }, context).catch(() => {}); // by the removal
      throw error;
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
    await this.vaults.hold(tx, vault);
    const action = { ...actionOf(context, vault.vaultId), dvak_id: terms.dvakId };
    await this.outbox.publish(tx, dvakCreated, action, context);
    return issueDvak(async (token: MintedToken) => {
      const last4 = lastLetters(token.text);
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

function program({ nhi_description }: NewDvak): Holder {
  if (!nhi_description) throw missing('nhi_description');
  return { authorized_user_id: null, authorized_user_email: null, nhi_description };
}

function missing(field: string) {
  return validationError({ field, message: `${field} must be given for this type of key` });
}

/** Whoever has a viewer seat cannot grant more than reading, whatever the role (AUTH-35, AMB-18). */
function termsFor({ dvak_type, access_level }: NewDvak, holder: Holder, { credential }: AccountContext) {
  return {
    dvakId: newId('dvk_'),
    dvakType: dvak_type,
    authorizedUserId: holder.authorized_user_id,
    accessLevel: credential.seat === 'viewer' ? ('read' as const) : access_level,
  };
}
