import { setTimeout as delay } from 'node:timers/promises';

/** Waits that many milliseconds; `false`, and at once, if the signal ends the wait. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}
