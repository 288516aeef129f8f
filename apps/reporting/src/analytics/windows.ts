import { SPARK_ACTIVITY_DAYS_MAX, usagePeriods, type UsagePeriod } from '@vaultsvc/contracts/reporting';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const DAY_HOURS = 24;

/** The hour of a time, numbered from the Unix epoch. Hours and days of UTC start at multiples of their length. */
export function hourOf(epochMs: number): number {
  return Math.floor(epochMs / (HOUR_SECONDS * 1_000));
}

/** A period of whole days that ends now; times are epoch seconds. */
export interface Window {
  readonly days: number;
  readonly start: number;
  readonly end: number;
  /** The hour that contains the start: counters have no finer resolution. */
  readonly firstHour: number;
}

/** A window that is divided into buckets of whole UTC hours or days. */
export interface BucketWindow extends Window {
  /** Seconds of a bucket. */
  readonly granularity: typeof HOUR_SECONDS | typeof DAY_SECONDS;
  readonly hoursOfBucket: number;
  readonly lastHour: number;
  /** The buckets from the one with the start to the one with the end, numbered from the Unix epoch. */
  readonly buckets: readonly number[];
}

const overviewDays = new Map([
  ['day', 1],
  ['week', 7],
  ['month', 30],
  ['quarter', 90],
]);
const usageDays: Readonly<Record<UsagePeriod, number>> = {
  day: 1,
  week: 7,
  month: 30,
  bimonth: 60,
  quarter: 90,
};

/** The window of the overview; any period that it does not know means 30 days (RPT-01). */
export function overviewWindow(period: string | undefined, nowMs: number): Window {
  return windowOf(overviewDays.get(period ?? '') ?? 30, nowMs);
}

/** The period of the usage over time; any that it does not know means the default (RPT-08, RPT-34). */
export function usagePeriodOf(period: string | undefined): UsagePeriod {
  return usagePeriods.find((known) => known === period) ?? 'month';
}

/** Hours for a day, else days (RPT-10). */
export function usageWindow(period: UsagePeriod, nowMs: number): BucketWindow {
  return inBuckets(windowOf(usageDays[period], nowMs), period === 'day' ? HOUR_SECONDS : DAY_SECONDS);
}

/** The days of the activity of Sparks; anything but 1 to 365 means 7 (RPT-18). */
export function sparkActivityDaysOf(days: string | undefined): number {
  const given = wholeNumber(days);
  return given !== undefined && given <= SPARK_ACTIVITY_DAYS_MAX ? given : 7;
}

/** The current hour and the 23 before it, or the current UTC day and `days` before it (RPT-20, RPT-21). */
export function sparkActivityWindow(days: number, nowMs: number): BucketWindow {
  const window = windowOf(days, nowMs);
  if (days > 1) return wholeBuckets(window, DAY_SECONDS);
  return wholeBuckets({ ...window, start: window.start + HOUR_SECONDS }, HOUR_SECONDS);
}

/** A parameter that is a whole number above 0, in decimal digits. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

function windowOf(days: number, nowMs: number): Window {
  const end = Math.floor(nowMs / 1_000);
  const start = end - days * DAY_SECONDS;
  return { days, start, end, firstHour: Math.floor(start / HOUR_SECONDS) };
}

/** The first bucket begins with the hour of the start. */
function inBuckets(window: Window, granularity: BucketWindow['granularity']): BucketWindow {
  const first = Math.floor(window.start / granularity);
  const last = Math.floor(window.end / granularity);
  return {
    ...window,
    granularity,
    hoursOfBucket: granularity / HOUR_SECONDS,
    lastHour: Math.floor(window.end / HOUR_SECONDS),
    buckets: Array.from({ length: last - first + 1 }, (_, index) => first + index),
  };
}

/** The first bucket is whole. */
function wholeBuckets(window: Window, granularity: BucketWindow['granularity']): BucketWindow {
  const divided = inBuckets(window, granularity);
  return { ...divided, firstHour: (divided.buckets[0] as number) * divided.hoursOfBucket };
}

/** The start of a bucket in ISO 8601, without milliseconds. */
export function isoOf(epochSeconds: number): string {
  return `${new Date(epochSeconds * 1_000).toISOString().slice(0, 19)}Z`;
}

/** The date of a UTC day, numbered from the Unix epoch. */
export function dateOf(day: number): string {
  return isoOf(day * DAY_HOURS * HOUR_SECONDS).slice(0, 10);
}
