import type { Role, Seat } from '@vaultsvc/contracts';
import type { CredentialRecord } from '@vaultsvc/limits';

/** Cache key of an API key's record; `lookup` is its `lookupHash`. */
export function apiKeyCacheKey(lookup: Buffer): string {
  return `k:${lookup.toString('hex')}`;
}

/** Cache key of a session's record; `sessionId` is the session family, the `sid` of its tokens. */
export function sessionCacheKey(sessionId: string): string {
  return `s:${sessionId}`;
}

export interface ApiKeyPrincipal {
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly active: boolean;
  readonly expiresAt: number | null;
}

/** An API key has no user, has full access and the role admin (ENV-39, AMB-17). */
export function apiKeyRecord({
  id,
  accountId,
  version,
  active,
  expiresAt,
}: ApiKeyPrincipal): CredentialRecord {
  return {
    version,
    status: active ? 'active' : 'revoked',
    kind: 'api_key',
    accountId,
    userId: null,
    credentialId: id,
    role: 'admin',
    seat: 'full',
    expiresAt,
  };
}

export interface SessionPrincipal {
  readonly id: string;
  readonly sessionType: 'full' | 'identity_only';
  readonly version: number;
  readonly active: boolean;
  readonly expiresAt: number;
  readonly accountId: string | null;
  readonly userId: string | null;
  readonly identityId: string | null;
  readonly role: Role | null;
  readonly seat: Seat | null;
}

/** Role and seat come from the user's row, not from the token, so that a demotion takes effect at once. */
export function sessionRecord(session: SessionPrincipal): CredentialRecord {
  const isFull = session.sessionType === 'full';
  return {
    version: session.version,
    status: session.active ? 'active' : 'revoked',
    kind: isFull ? 'session' : 'identity',
    accountId: session.accountId,
    userId: isFull ? session.userId : session.identityId,
    credentialId: session.id,
    role: session.role ?? 'member',
    seat: session.seat ?? 'viewer',
    expiresAt: session.expiresAt,
  };
}
