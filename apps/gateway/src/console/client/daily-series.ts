/** The values of UTC days, oldest first. */
export interface DailySeries {
  readonly id: string;
  readonly title: string;
  /** The sum of the values, with its unit. */
  readonly total: string;
  readonly days: readonly { readonly timestamp: number; readonly value: number }[];
  readonly valueText: (value: number) => string;
  /** A short text for the axis. */
  readonly axisText: (value: number) => string;
  /** The text in place of a series without values. */
  readonly empty: string;
}
