const READING_MAX_AGE_MS = 5 * 60_000;
const DRIFT_MAX_MS = 1_000;

interface Reading {
  readonly databaseMs: number;
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * The database's time without asking it each time: one reading, continued by this process's monotonic clock.
 *
 * It asks again after 5 minutes, and when the wall clock and the monotonic one have gone apart: somebody set the clock,
 * or the machine slept (the monotonic clock does not count sleep).
 */
export class DatabaseClock {
  #reading: Reading | undefined;

  constructor(private readonly ask: () => Promise<Date>) {}

  async now(): Promise<Date> {
    return this.#continued() ?? this.observe(await this.ask());
  }

  /** Takes over a time that the database has just told, and returns it. */
  observe(databaseTime: Date): Date {
    this.#reading = {
      databaseMs: databaseTime.getTime(),
      monotonicMs: performance.now(),
      wallMs: Date.now(),
    };
    return databaseTime;
  }

  #continued(): Date | undefined {
    if (!this.#reading) return undefined;
    const { databaseMs, monotonicMs, wallMs } = this.#reading;
    const elapsedMs = performance.now() - monotonicMs;
    const driftMs = Math.abs(Date.now() - wallMs - elapsedMs);
    return elapsedMs < READING_MAX_AGE_MS && driftMs < DRIFT_MAX_MS
      ? new Date(databaseMs + elapsedMs)
      : undefined;
  }
}
