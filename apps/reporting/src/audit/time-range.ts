import { validationError } from '@vaultsvc/contracts';

/** A range of time, in epoch seconds: from `from` on, and before `to`. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Throws VALIDATION_ERROR for a range that ends before it begins: an empty result would look like an answer. */
export function assertTimeRange({ from, to }: TimeRange): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw validationError({ field: 'from', message: 'must not be after to' });
}
