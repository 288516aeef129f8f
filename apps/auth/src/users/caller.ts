import { AppError, type AccountContext } from '@vaultsvc/contracts';

/**
 * The user of a session.
 * @throws 403 for an API key, which has no user (AMB-17)
 */
export function personOf({ credential }: AccountContext): string {
  if (credential.userId === null) throw new AppError('SESSION_REQUIRED');
  return credential.userId;
}
