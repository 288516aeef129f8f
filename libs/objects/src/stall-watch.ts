const LOOKS = 10;

interface Watched {
  /** How long nothing may move while the store is to move it. It is noticed a tenth of it later at most. */
  readonly withinMs: number;
  /** Whether all that is waited for is the store. A slow client is not its fault. */
  readonly isStoresTurn: () => boolean;
  /** Grows when something has moved. */
  readonly progress: () => number;
  readonly onStall: () => void;
}

/**
 * Notices a store that is there and does nothing. Gives the function that ends the watch. Time is counted in looks: one
 * of a process that stood still itself is one, however long that was, and what has come meanwhile is read before the next.
 */
export function watchForStall({ withinMs, isStoresTurn, progress, onStall }: Watched): () => void {
  let last: number | undefined;
  let looks = 0;
  const timer = setInterval(() => {
    const current = isStoresTurn() ? progress() : undefined;
    looks = current !== undefined && current === last ? looks + 1 : 0;
    last = current;
    if (looks >= LOOKS) onStall();
  }, withinMs / LOOKS);
  timer.unref();
  return () => clearInterval(timer);
}
