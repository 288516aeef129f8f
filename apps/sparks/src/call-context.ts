import type { AccountContext, CallContext } from '@vaultsvc/contracts';

/** Who acts, as events tell it: the user of a session, or the API key. */
export function actorOf({ credential }: AccountContext): {
  actor_type: 'api_key' | 'session';
  actor_id: string;
} {
  return { actor_type: credential.kind, actor_id: credential.userId ?? credential.credentialId };
}

/**
 * Throws once nobody waits for the answer: key management was slow, or this process was paused. What is burned or
 * consumed without an answer that somebody takes is lost.
 */
export function assertBeforeDeadline({ deadlineMs }: Pick<CallContext, 'deadlineMs'>): void {
  if (Date.now() > deadlineMs) throw new Error('nobody waits for this answer any more');
}
