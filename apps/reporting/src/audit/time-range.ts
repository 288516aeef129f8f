import { validationError, type FieldProblem } from '@vaultsvc/contracts';

/** A range of time, in epoch seconds: from `from` on, and before `to`. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The year 5138 in seconds. In milliseconds it was in 1973. */
const SECONDS_MAX = 99_999_999_999;

/**
 * Throws VALIDATION_ERROR for milliseconds, and for a range that ends before it begins: an empty result would look like an answer.
 */
export function assertTimeRange({ from = 0, to = SECONDS_MAX }: TimeRange): void {
  const problems: FieldProblem[] = Object.entries({ from, to })
    .filter(([, seconds]) => seconds > SECONDS_MAX)
    .map(([field]) => ({ field, message: 'must be in seconds, not in milliseconds' }));
  if (problems.length > 0) throw validationError(...problems);
  if (from > to) throw validationError({ field: 'from', message: 'must not be after to' });
}
