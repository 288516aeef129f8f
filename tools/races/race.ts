/** A race that `npm run races` runs by its name. */
export interface Race {
  /** How often, when the caller does not say. */
  readonly countDefault: number;
  /** @param tell takes a line now and then, so that a person sees it go on */
  run(count: number, reportProgress: (line: string) => void): Promise<RaceOutcome>;
}

export interface RaceOutcome {
  /** The figures in one line. */
  readonly summary: string;
  /** Nothing happened that must never happen. */
  readonly clean: boolean;
}
