import { Injectable } from '@nestjs/common';
import { AppError, type AccountCredential, type CallContext } from '@vaultsvc/contracts';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import { unwrapByVat, type VatTerms } from '../keys/vault-key.js';
import { SessionRepository, type FoundSession } from './session.repository.js';

export interface AccessQuestion {
  readonly vaultId: string;
  /** As the caller sent it. */
  readonly vat: string;
  /** What is going to be done. */
  readonly level: 'read' | 'write';
}

export interface OpenVault {
  /** Of the token: which one it is, what it may do, and what ends it. */
  readonly terms: VatTerms;
  /** The caller fills it with 0 when done. */
  readonly vaultKey: Buffer;
}

/** What a Vault Access Token opens. Errors win in the order of AMB-13. */
@Injectable()
export class VaultAccess {
  constructor(private readonly sessions: SessionRepository) {}

  /**
   * Opens the vault key. Throws AUTHENTICATION_ERROR for a token that is unknown, sealed or revoked; VAULT_NOT_FOUND;
   * VAT_OUT_OF_SCOPE, VAT_EXPIRED or VAT_READ_ONLY. A row that somebody changed does not open: `WrongKey`, `Tampered`.
   */
  async open(question: AccessQuestion, { credential }: CallContext): Promise<OpenVault> {
    const token = parseToken('vat', question.vat);
    if (!token || !('accountId' in credential)) throw new AppError('AUTHENTICATION_ERROR');
    try {
      return await this.#openWith(token, question, credential);
    } finally {
      token.fill(0);
    }
  }

  async #openWith(
    token: Buffer,
    { vaultId, level }: AccessQuestion,
    { accountId, userId }: AccountCredential,
  ): Promise<OpenVault> {
    const session = await this.sessions.find(lookupHash('vat', token), { vaultId, accountId });
    if (!session) throw new AppError('AUTHENTICATION_ERROR');
    if (!session.isVaultKnown) throw new AppError('VAULT_NOT_FOUND');
    assertScope(session, vaultId, accountId, userId);
    const wrapped = assertAlive(session);
    if (level === 'write' && session.terms.accessLevel === 'read') throw new AppError('VAT_READ_ONLY');
    const vaultKey = unwrapByVat(token, session, session.terms, wrapped);
    return { terms: session.terms, vaultKey };
  }
}

/** A token that a user's own key minted is that user's alone; an API key is no user (AMB-21). */
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
