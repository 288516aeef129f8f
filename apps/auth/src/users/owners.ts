import { AppError } from '@vaultsvc/contracts';
import type { User } from '@vaultsvc/contracts/auth';

/**
 * 409 if the account would be without an owner when this one is no more. While somebody has signed in as owner, one
 * such must remain; before (the owner of a first account is only invited) another invitation is enough.
 */
export function assertOwnerRemains(owners: readonly User[], leaving: User): void {
  const others = owners.filter(({ user_id }) => user_id !== leaving.user_id);
  if (others.some(({ status }) => status === 'active')) return;
  if (leaving.status === 'invited' && others.length > 0) return;
  throw new AppError('LAST_OWNER');
}
