import { type AccountContext, AppError } from '@vaultsvc/contracts';

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
