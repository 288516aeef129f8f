import { AppError, type AccountContext } from '@vaultsvc/contracts';

/** The person of a session. 403 for an API key, which is no user (AMB-17). */
export function personOf({ credential }: AccountContext): string {
  if (credential.userId === null) throw new AppError('SESSION_REQUIRED');
  return credential.userId;
}
