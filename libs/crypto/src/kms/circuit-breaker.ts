import { attempts, openBreakers } from './kms-metrics.js';

const FAILURES_MAX = 5;
const OPEN_MS = 1_000;

/**
 * A circuit breaker: opens after 5 consecutive failures, then admits one call per second until one succeeds. It spares
 * requests the timeouts of a server that is down.
 */
export class CircuitBreaker {
  #failures = 0;
  #refusesUntilMs = 0;

  /** `now`: a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a call is admitted now. While open, true for the first query of each second. */
  admits(): boolean {
    if (this.#failures < FAILURES_MAX) return true;
    if (this.now() < this.#refusesUntilMs) {
      attempts.inc({ outcome: 'withheld' });
      return false;
    }
    this.#refusesUntilMs = this.now() + OPEN_MS;
    return true;
  }

  /** Records a success and closes the breaker. */
  succeed(): void {
    attempts.inc({ outcome: 'answered' });
    if (this.#failures >= FAILURES_MAX) openBreakers.dec();
    this.#failures = 0;
  }

  /** Records a failure. */
  fail(): void {
    attempts.inc({ outcome: 'failed' });
    this.#failures += 1;
    if (this.#failures === FAILURES_MAX) openBreakers.inc();
    if (this.#failures >= FAILURES_MAX) this.#refusesUntilMs = this.now() + OPEN_MS;
  }
}
