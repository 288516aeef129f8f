import type { CallContext } from '@vaultsvc/contracts';

/**
 * Throws once nobody waits for the answer: key management was slow, or this process was paused. What is burned or
 * consumed without an answer that somebody takes is lost.
 */
export function assertAwaited({ deadlineMs }: Pick<CallContext, 'deadlineMs'>): void {
  if (Date.now() > deadlineMs) throw new Error('nobody waits for this answer any more');
}
