const CHECKS = 10;

interface StallWatch {
  /** The time without progress while the store is waited for. A stall is noticed up to a tenth of it later. */
  readonly withinMs: number;
  /** Whether only the store is waited for, and not a slow client. */
  readonly isWaitingForStore: () => boolean;
  /** A number that changes with progress. */
  readonly progress: () => number;
  readonly onStall: () => void;
}

/**
 * Calls `onStall` when a connected store makes no progress. Returns the function that stops the watch. It counts timer
 * ticks, not time: a pause of this process counts as one, and received data is read before the next.
 */
export function watchForStall({ withinMs, isWaitingForStore, progress, onStall }: StallWatch): () => void {
  let last: number | undefined;
  let idleChecks = 0;
  const timer = setInterval(() => {
    const current = isWaitingForStore() ? progress() : undefined;
    idleChecks = current !== undefined && current === last ? idleChecks + 1 : 0;
    last = current;
    if (idleChecks >= CHECKS) onStall();
  }, withinMs / CHECKS);
  timer.unref();
  return () => clearInterval(timer);
}
