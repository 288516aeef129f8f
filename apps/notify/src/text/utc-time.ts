const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A time for a mail: `21 November 2026 at 21:30 UTC`. */
export function utcTime(epochSeconds: number): string {
  return `${format.format(epochSeconds * 1_000)} UTC`;
}
