import { Injectable } from '@nestjs/common';
import { AppError, type AccountCredential, type CallContext, type VaultContext } from '@vaultsvc/contracts';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import type { Queryable } from '@vaultsvc/database';
import { unwrapByVat, type VatTerms, type VaultIdentity } from '../keys/vault-key.js';
import { callingUser } from '../dvak/calling-user.js';
import { SessionRepository, type FoundSession } from './session.repository.js';

/** A Vault Access Token as the caller sent it, and the level of access that the operation needs. */
export interface AccessRequest {
  readonly vaultId: string;
  readonly vat: string;
  readonly level: Level;
}

type Level = 'read' | 'write';

/**
 * Fences the access token in the caller's transaction: the token and its vault cannot end before the commit. Throws
 * AUTHENTICATION_ERROR when the token has ended, VAULT_NOT_FOUND when the vault is deleted.
 */
export type LockVault = (tx: Queryable) => Promise<void>;

/** A vault that the caller's access token may use. */
export interface AuthorizedVault {
  readonly ids: VaultIdentity;
  /** The token's id, access level and expiry. */
  readonly terms: VatTerms;
  readonly lock: LockVault;
}

/** An authorized vault with its key in clear. The ids stay apart, so that no spread copies the key. */
export interface OpenVault extends AuthorizedVault {
  /** Filled with 0 when `withOpenVault` ends. */
  readonly vaultKey: Buffer;
}

/**
 * Opens vaults with Vault Access Tokens. All methods throw, in the order of AMB-13: AUTHENTICATION_ERROR for a token that
 * is unknown, sealed or revoked; VAULT_NOT_FOUND; VAT_OUT_OF_SCOPE; VAT_EXPIRED; VAT_READ_ONLY. A row that was changed
 * throws `WrongKey` or `Tampered`.
 */
@Injectable()
export class VaultAuthorizer {
  constructor(private readonly sessions: SessionRepository) {}

  /** Runs `use` with the open vault, and wipes the vault key when it has settled. */
  async withOpenVault<T>(
    params: { readonly vault_id: string },
    context: VaultContext,
    level: Level,
    use: (vault: OpenVault) => Promise<T>,
  ): Promise<T> {
    const vault = await this.#openVault(params.vault_id, context, level);
    try {
      return await use(vault);
    } finally {
      vault.vaultKey.fill(0);
    }
  }

  /** For changes that need no vault key: it is wiped before this returns. */
  async authorize(
    params: { readonly vault_id: string },
    context: VaultContext,
    level: Level,
  ): Promise<AuthorizedVault> {
    return this.withOpenVault(params, context, level, async ({ ids, terms, lock }) => ({ ids, terms, lock }));
  }

  /** Checks a token that is not the one of the context; `context` names the caller. */
  async verify(request: AccessRequest, context: CallContext): Promise<VatTerms> {
    const { terms, vaultKey } = await this.#open(request, context);
    vaultKey.fill(0);
    return terms;
  }

  async #openVault(vaultId: string, context: VaultContext, level: Level): Promise<OpenVault> {
    if (level === 'write') assertMayWrite(context);
    const ids = { vaultId, accountId: context.credential.accountId };
    const { terms, vaultKey } = await this.#open({ vaultId, vat: context.vault.token, level }, context);
    return { ids, terms, vaultKey, lock: (tx) => this.sessions.lock(tx, terms.vatId, ids) };
  }

  async #open(request: AccessRequest, { credential, deadlineMs }: CallContext) {
    const token = parseToken('vat', request.vat);
    if (!token || !('accountId' in credential)) throw new AppError('AUTHENTICATION_ERROR');
    try {
      return await this.#openWith(token, request, credential, deadlineMs);
    } finally {
      token.fill(0);
    }
  }

  async #openWith(
    token: Buffer,
    { vaultId, level }: AccessRequest,
    credential: AccountCredential,
    deadlineMs: number,
  ): Promise<{ terms: VatTerms; vaultKey: Buffer }> {
    const { accountId } = credential;
    const session = await this.sessions.find(lookupHash('vat', token), { vaultId, accountId }, deadlineMs);
    if (!session) throw new AppError('AUTHENTICATION_ERROR');
    if (!session.isVaultKnown) throw new AppError('VAULT_NOT_FOUND');
    assertScope(session, vaultId, accountId, callingUser(credential));
    const wrapped = assertAlive(session);
    if (level === 'write' && session.terms.accessLevel === 'read') throw new AppError('VAT_READ_ONLY');
    return { terms: session.terms, vaultKey: unwrapByVat(token, session, session.terms, wrapped) };
  }
}

/** The gateway checks this too (OPEN-61); a caller that bypasses it is refused here (VAT-08). */
function assertMayWrite({ vault }: VaultContext): void {
  if (vault.accessLevel !== 'read_write') throw new AppError('VAT_READ_ONLY');
}

/** Only the user of a user's key may use the tokens that this key minted; an API key and an integration are no user (AMB-21). */
function assertScope(session: FoundSession, vaultId: string, accountId: string, userId: string | null): void {
  const { authorizedUserId } = session.terms;
  const isOfVault = session.vaultId === vaultId && session.accountId === accountId;
  const isOfCaller = authorizedUserId === null || authorizedUserId === userId;
  if (!isOfVault || !isOfCaller) throw new AppError('VAT_OUT_OF_SCOPE');
}

function assertAlive({ isExpired, terms, currentEpoch, isDvakRevoked, wrappedKey }: FoundSession): Buffer {
  if (isExpired) throw new AppError('VAT_EXPIRED');
  if (terms.sealEpoch !== currentEpoch || isDvakRevoked || wrappedKey === null)
    throw new AppError('AUTHENTICATION_ERROR');
  return wrappedKey;
}
