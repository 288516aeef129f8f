interface Watched {
  /** How long nothing may move while the store is to move it. It is noticed within twice this time. */
  readonly withinMs: number;
  /** Whether all that is waited for is the store. A slow client is not its fault. */
  readonly isStoresTurn: () => boolean;
  /** Grows when something has moved. */
  readonly progress: () => number;
  readonly onStall: () => void;
}

/** Notices a store that is there and does nothing. Gives the function that ends the watch. */
export function watchForStall({ withinMs, isStoresTurn, progress, onStall }: Watched): () => void {
  let last: number | undefined;
  const timer = setInterval(() => {
    const current = isStoresTurn() ? progress() : undefined;
    if (current !== undefined && current === last) onStall();
    last = current;
  }, withinMs);
  timer.unref();
  return () => clearInterval(timer);
}
