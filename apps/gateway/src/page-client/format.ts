const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A size for display: `1 byte`, `25.6 kB`, `5.4 GB`. Decimal units, at most one decimal. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let [size, unit] = [bytes, 0];
  // A size that would be rounded to 1,000 is shown in the next unit.
  while (size >= 999.95 && unit < UNITS.length - 1) [size, unit] = [size / 1_000, unit + 1];
  return `${unit === 0 ? size : Number(size.toFixed(1))} ${UNITS[unit]}`;
}

/** A waiting time for display, rounded up. */
export function waitText(seconds: number): string {
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [seconds / 60, 'minute'];
  const whole = Math.ceil(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}

// Marked as pure, so that pages which show no times do not contain them.
const date = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const clock = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** A date of the person's time zone: `3 Nov 2026`. */
export const dateText = (seconds: number) => date.format(seconds * 1_000);
/** A time of the person's time zone: `14:03`. */
export const clockText = (seconds: number) => clock.format(seconds * 1_000);
