import { type AccountContext, AppError } from '@vaultsvc/contracts';
import type { User } from '@vaultsvc/contracts/auth';

/**
 * Refuses everybody but an active owner in a session to make, change or remove an owner (OPEN-59). The role is that of the locked
 * row: the credential of a call may be older than the demotion of its user.
 * @param owners the owners of the account, locked
 * @throws 403 OWNER_SESSION_REQUIRED, for admins and API keys, too
 */
export function assertOwnerActs(owners: readonly User[], { credential }: AccountContext): void {
  const isOwner = owners.some(({ user_id, status }) => user_id === credential.userId && status === 'active');
  if (credential.kind !== 'session' || !isOwner) throw new AppError('OWNER_SESSION_REQUIRED');
}
