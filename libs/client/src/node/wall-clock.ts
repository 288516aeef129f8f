/** A clock that was set by this much moved by itself: by time synchronization. */
const SLEW_MS = 5;

/** Notices whether the clock was set back since this was created. */
export class WallClock {
  readonly #offset = offset();

  wasSetBack(): boolean {
    return offset() < this.#offset - SLEW_MS;
  }
}

/** What the wall clock is ahead of the clock that only moves forward. */
function offset(): number {
  return Date.now() - performance.now();
}
