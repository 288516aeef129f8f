import { describe, expect, it } from '@jest/globals';
import { hourly, monthly, permanent } from './period.js';

describe('SPK-50: The hourly key', () => {
  it('is named after the UTC hour', () => {
    expect(hourly.kidAt(new Date('2026-11-21T07:00:00.000Z'))).toBe('2026112107');
    expect(hourly.kidAt(new Date('2026-11-21T07:59:59.999Z'))).toBe('2026112107');
    expect(hourly.kidAt(new Date('2026-12-31T23:59:59.999-01:00'))).toBe('2027010100');
  });

  it('is destroyed 24 hours and 5 minutes after the end of its hour', () => {
    const expected = new Date('2026-11-22T08:05:00.000Z');
    expect(hourly.destroyAfter(new Date('2026-11-21T07:00:00.000Z'))).toEqual(expected);
    expect(hourly.destroyAfter(new Date('2026-11-21T07:59:59.999Z'))).toEqual(expected);
  });
});

describe('The monthly key', () => {
  it('is named after the UTC month and never destroyed by age', () => {
    expect(monthly.kidAt(new Date('2026-11-30T23:59:59.999Z'))).toBe('202611');
    expect(monthly.destroyAfter(new Date())).toBeNull();
  });
});

describe('OPEN-46 OPEN-51: The permanent key', () => {
  it('has one name at all times and is never destroyed by age', () => {
    const names = ['1970-01-01', '2026-11-30', '2999-12-31'].map((day) => permanent.kidAt(new Date(day)));
    expect(new Set(names)).toEqual(new Set(['permanent']));
    expect(permanent.destroyAfter(new Date())).toBeNull();
  });
});
