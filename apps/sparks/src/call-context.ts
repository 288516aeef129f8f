import type { AccountContext, CallContext } from '@vaultsvc/contracts';
import { DeadlinePassed } from '@vaultsvc/database';

/** The actor of a call as events carry it: the user of a session, or the API key. */
export function actorOf({ credential }: AccountContext): {
  actor_type: 'api_key' | 'session';
  actor_id: string;
} {
  return { actor_type: credential.kind, actor_id: credential.userId ?? credential.credentialId };
}

/**
 * Throws once the caller's deadline has passed, after a slow call to key management or a pause of this process.
 * A burn or a consumption past the deadline would destroy content that no caller receives.
 */
export function assertBeforeDeadline({ deadlineMs }: Pick<CallContext, 'deadlineMs'>): void {
  if (Date.now() > deadlineMs) throw new DeadlinePassed();
}
