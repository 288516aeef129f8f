import type { CallContext } from '@vaultsvc/contracts';
import { DeadlinePassed } from '@vaultsvc/database';

/**
 * Throws once the caller's deadline has passed, after a slow call to key management or a pause of this process.
 * A burn or a consumption past the deadline would destroy content that no caller receives.
 */
export function assertBeforeDeadline({ deadlineMs }: Pick<CallContext, 'deadlineMs'>): void {
  if (Date.now() > deadlineMs) throw new DeadlinePassed();
}
