import { UsageError } from './failures.js';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of `90s`, `30m`, `12h` or `1d`. @throws UsageError */
export function secondsOf(text: string, option: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? 0);
  if (!(seconds > 0)) throw new UsageError(`--${option} needs a duration such as 30m, 12h or 1d.`);
  return seconds;
}

/** As `secondsOf`, of a duration from `least` to `most`, such as `1m` and `1d`. @throws UsageError that names both */
export function secondsWithin(
  text: string,
  option: string,
  [least, most]: readonly [string, string],
): number {
  const seconds = secondsOf(text, option);
  if (seconds < secondsOf(least, option) || seconds > secondsOf(most, option))
    throw new UsageError(`--${option} is ${least} to ${most}.`);
  return seconds;
}
