import { AppError } from '@vaultsvc/contracts';
import type { User } from '@vaultsvc/contracts/auth';

/**
 * Refuses to remove or demote the last owner. If any owner is active, an active one must remain; otherwise (the owner of a
 * first account is only invited) another invited owner is enough.
 * @throws 409
 */
export function assertOwnerRemains(owners: readonly User[], leaving: User): void {
  const others = owners.filter(({ user_id }) => user_id !== leaving.user_id);
  if (others.some(({ status }) => status === 'active')) return;
  if (leaving.status === 'invited' && others.length > 0) return;
  throw new AppError('LAST_OWNER');
}
