import { type AccountContext, AppError } from '@vaultsvc/contracts';

/** @throws ROLE_REQUIRED (403) unless the caller is an admin, an owner or an API key, whose role is admin (AMB-17) */
export function assertAdmin({ credential }: AccountContext): void {
  if (credential.role === 'member') throw new AppError('ROLE_REQUIRED');
}

/** The acting user, or the API key if there is no user. */
export function actorOf({ credential }: AccountContext): string {
  return credential.userId ?? credential.credentialId;
}

/**
 * The user of a session.
 * @throws 403 for an API key, which has no user (AMB-17)
 */
export function sessionUserOf({ credential }: AccountContext): string {
  if (credential.userId === null) throw new AppError('SESSION_REQUIRED');
  return credential.userId;
}
