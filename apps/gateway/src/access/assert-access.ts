import { AppError, type PublicOperation } from '@vaultsvc/contracts';
import type { CredentialRecord } from '@vaultsvc/limits';

/** Whether a call of the operation without a credential is refused with 401. */
export function needsCredential({ access: { credential } }: Pick<PublicOperation, 'access'>): boolean {
  return credential !== undefined && credential !== 'none' && credential !== 'optional';
}

/** Enforces `access` of the contract: kind of credential, then role, then seat; throws 403 (AMB-13, AMB-17 to AMB-19). */
export function assertAccess(
  { access }: Pick<PublicOperation, 'access'>,
  record: CredentialRecord | null,
): void {
  if (access.provider || access.credential === 'none' || access.credential === 'optional') return;
  if (record === null) throw new AppError('AUTHENTICATION_ERROR');
  assertKind(access.credential, record.kind);
  if (access.role === 'admin' && !isAdmin(record)) throw new AppError('ROLE_REQUIRED');
  if (access.seat === 'full' && record.seat === 'viewer') throw new AppError('FULL_SEAT_REQUIRED');
}

function assertKind(
  needed: 'any' | 'key' | 'session' | 'identity-only',
  kind: CredentialRecord['kind'],
): void {
  if (needed === 'any') return;
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
