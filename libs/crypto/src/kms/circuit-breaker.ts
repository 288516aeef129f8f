const FAILURES_MAX = 5;
const OPEN_MS = 1_000;

/**
 * Stops asking a server that does not answer: after 5 failures in a row it admits one call a second, until one
 * succeeds. Without it every request would wait out all its timeouts.
 */
export class CircuitBreaker {
  #failures = 0;
  #refusesUntilMs = 0;

  /** `now`: a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a call may be made now. Of those who wait out a second, only the first to ask gets true. */
  admits(): boolean {
    if (this.#failures < FAILURES_MAX) return true;
    if (this.now() < this.#refusesUntilMs) return false;
    this.#refusesUntilMs = this.now() + OPEN_MS;
    return true;
  }

  succeed(): void {
    this.#failures = 0;
  }

  fail(): void {
    this.#failures += 1;
    if (this.#failures >= FAILURES_MAX) this.#refusesUntilMs = this.now() + OPEN_MS;
  }
}
