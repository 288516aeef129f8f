import { AppError, type PublicOperation } from '@vaultsvc/contracts';
import type { CredentialRecord } from '@vaultsvc/limits';

/** The contract's access line: kind of session, then role; 403 (AMB-13, AMB-17, AMB-19). */
export function assertAccess({ access }: PublicOperation, record: CredentialRecord | null): void {
  if (access.credential === 'none' || access.credential === 'provider') return;
  if (access.credential === 'optional') return assertKnown(record);
  if (record === null) throw new AppError('AUTHENTICATION_ERROR');
  assertKind(access.credential, record.kind);
  if (access.role === 'admin' && !isAdmin(record)) throw new AppError('ROLE_REQUIRED');
}

/** Nobody, or a full session. An API key proves nobody: it is told so, rather than taken for its account's owner. */
function assertKnown(record: CredentialRecord | null): void {
  if (record !== null) assertKind('session', record.kind);
}

function assertKind(needed: 'key' | 'session' | 'identity-only', kind: CredentialRecord['kind']): void {
  if (needed === 'identity-only') {
    if (kind !== 'identity') throw new AppError('IDENTITY_SESSION_REQUIRED');
    return;
  }
  if (kind === 'identity') throw new AppError('REGISTRATION_REQUIRED');
  if (needed === 'session' && kind !== 'session') throw new AppError('SESSION_REQUIRED');
}

function isAdmin({ kind, role }: CredentialRecord): boolean {
  return kind === 'api_key' || role === 'admin' || role === 'owner';
}
