import {
  type AccountContext,
  AppError,
  type CallContext,
  type IdentityCredential,
} from '@vaultsvc/contracts';

/** The acting user, or the API key if there is no user. */
export function actorIdOf({ credential }: AccountContext): string {
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

/**
 * The identity of an identity-only session. The gateway admits no other caller; a service does not rely on that.
 * @throws 403 for any other credential (AMB-19)
 */
export function identityOf({ credential }: CallContext): IdentityCredential {
  if (credential.kind === 'identity') return credential;
  throw new AppError('IDENTITY_SESSION_REQUIRED');
}
