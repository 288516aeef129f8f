const READING_MAX_AGE_MS = 5 * 60_000;
const DRIFT_MAX_MS = 1_000;

interface Reading {
  readonly databaseMs: number;
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * The time of the database without a query each time: one reading, continued by the monotonic clock of this process.
 *
 * It queries again after 5 minutes, and when wall clock and monotonic clock diverge by more than a second: the wall clock
 * was set, or the machine was suspended, which the monotonic clock does not count.
 */
export class DatabaseClock {
  #reading: Reading | undefined;

  /** `query`: reads the time of the database. */
  constructor(private readonly query: () => Promise<Date>) {}

  /** The time of the database, to within a second. */
  async now(): Promise<Date> {
    return this.#continued() ?? this.observe(await this.query());
  }

  /** Records a time that the database has just returned, and returns it. */
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
