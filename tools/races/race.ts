/** A race that `npm run races` runs by name. */
export interface Race {
  /** The number of repetitions without `--count`. */
  readonly countDefault: number;
  /**
   * @param reportProgress prints a line of intermediate figures
   * @param seed repeats the random choices of a race that makes them by a seed
   */
  run(count: number, reportProgress: (line: string) => void, seed: number): Promise<RaceOutcome>;
}

export interface RaceOutcome {
  /** The figures in one line. */
  readonly summary: string;
  /** No guarantee was violated. */
  readonly clean: boolean;
}
