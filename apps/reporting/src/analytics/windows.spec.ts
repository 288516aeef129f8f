import { describe, expect, it } from '@jest/globals';
import {
  dateOf,
  hourOf,
  isoOf,
  overviewWindow,
  sparkActivityDaysOf,
  sparkActivityWindow,
  usagePeriodOf,
  usageWindow,
  wholeNumber,
} from './windows.js';

/** Times around the edges of UTC hours and days, months of different lengths, and a leap day. */
const clocks = [
  '2026-11-23T18:24:37.512Z',
  '2026-11-23T00:00:00.000Z',
  '2026-11-23T23:59:59.999Z',
  '2026-03-29T01:00:00.000Z', // European summer time starts
  '2028-03-01T00:00:00.001Z',
  '2027-01-01T00:30:00.000Z',
].map((text) => [text, Date.parse(text)] as const);

describe('RPT-01 RPT-03: the window of the overview', () => {
  it.each([
    ['day', 1],
    ['week', 7],
    ['month', 30],
    ['quarter', 90],
    [undefined, 30],
    ['all', 30],
    ['bogus', 30],
    ['', 30],
    ['DAY', 30],
    ['constructor', 30],
  ])('%s is %i days', (period, days) => {
    for (const [, now] of clocks) {
      const window = overviewWindow(period, now);
      expect(window.days).toBe(days);
      expect(window.end).toBe(Math.floor(now / 1_000));
      expect(window.end - window.start).toBe(days * 86_400);
      expect(window.firstHour * 3_600).toBeLessThanOrEqual(window.start);
      expect((window.firstHour + 1) * 3_600).toBeGreaterThan(window.start);
    }
  });
});

describe('RPT-08 RPT-10 RPT-11 RPT-34: the window of the usage over time', () => {
  it.each([
    ['day', 'day', 3_600, 25],
    ['week', 'week', 86_400, 8],
    ['month', 'month', 86_400, 31],
    ['bimonth', 'bimonth', 86_400, 61],
    ['quarter', 'quarter', 86_400, 91],
    [undefined, 'month', 86_400, 31],
    ['banana', 'month', 86_400, 31],
    ['toString', 'month', 86_400, 31],
  ])(
    '%s is %s in buckets of %i s, the one of its start and of its end included',
    (period, shown, granularity, count) => {
      expect(usagePeriodOf(period)).toBe(shown);
      for (const [, now] of clocks) {
        const window = usageWindow(usagePeriodOf(period), now);
        expect(window.granularity).toBe(granularity);
        expect(window.buckets).toHaveLength(count);
        const starts = window.buckets.map((bucket) => bucket * granularity);
        expect(starts).toEqual(starts.map((_, i) => (starts[0] ?? 0) + i * granularity));
        expect(starts[0]).toBeLessThanOrEqual(window.start);
        expect((starts[0] ?? 0) + granularity).toBeGreaterThan(window.start);
        expect(starts.at(-1)).toBeLessThanOrEqual(window.end);
        expect((starts.at(-1) ?? 0) + granularity).toBeGreaterThan(window.end);
        expect(window.lastHour).toBe(hourOf(now));
      }
    },
  );

  it('starts its days at midnight in UTC', () => {
    for (const [, now] of clocks)
      for (const bucket of usageWindow('week', now).buckets)
        expect(isoOf(bucket * 86_400)).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
  });
});

describe('RPT-18 RPT-20 RPT-21: the window of the activity of Sparks', () => {
  it.each([
    ['1', 1],
    ['365', 365],
    ['007', 7],
    [undefined, 7],
    ['0', 7],
    ['366', 7],
    ['-1', 7],
    ['2.5', 7],
    ['1e2', 7],
    [' 3', 7],
    ['', 7],
    ['x', 7],
    ['9'.repeat(400), 7],
  ])('%p is %i days', (days, expected) => {
    expect(sparkActivityDaysOf(days)).toBe(expected);
  });

  it.each(clocks)('at %s has 24 whole hours, the last one being the current', (_, now) => {
    const { buckets, firstHour, lastHour } = sparkActivityWindow(1, now);
    expect(buckets).toHaveLength(24);
    expect([buckets[0], buckets.at(-1)]).toEqual([firstHour, lastHour]);
    expect(lastHour).toBe(hourOf(now));
  });

  it.each(clocks)('at %s has the days before and today, whole', (text, now) => {
    for (const days of [2, 7, 365]) {
      const { buckets, firstHour } = sparkActivityWindow(days, now);
      expect(buckets).toHaveLength(days + 1);
      expect(dateOf(buckets.at(-1) ?? 0)).toBe(text.slice(0, 10));
      expect(dateOf(buckets[0] ?? 0)).toBe(new Date(now - days * 86_400_000).toISOString().slice(0, 10));
      expect(firstHour % 24).toBe(0);
    }
  });
});

describe('RPT-12: a whole number in a query', () => {
  it('is digits above 0, and nothing else', () => {
    expect(['1', '200', '999', '012'].map(wholeNumber)).toEqual([1, 200, 999, 12]);
    for (const other of [undefined, '', '0', '-1', '1.0', 'abc', '1e3', '0x10', '١', '+1', ' 1', '1 '])
      expect(wholeNumber(other)).toBeUndefined();
  });
});
