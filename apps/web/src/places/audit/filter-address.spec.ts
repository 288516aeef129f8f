import { describe, expect, it } from '@jest/globals';
import { filterOf, hasDaysInOrder, isFiltered, secondsOf } from './filter-address.js';

describe('AUD-08: the filter of an address', () => {
  it('has types, actors and days, and nothing else', () => {
    const address = { type: 'spark_read', actor: 'usr_1', from: '2026-11-03', to: '2026-11-04', code: 'x' };
    expect(filterOf(address)).toEqual({
      type: 'spark_read',
      actor: 'usr_1',
      from: '2026-11-03',
      to: '2026-11-04',
    });
    expect(isFiltered(filterOf(address))).toBe(true);
  });

  it.each([
    {},
    { type: '' },
    { type: 7 },
    { from: 'yesterday' },
    { from: '2026-02-30' },
    { to: '1969-01-01' },
  ])('is empty for %j', (address) => {
    expect(filterOf(address)).toEqual({});
    expect(isFiltered(filterOf(address))).toBe(false);
  });

  it('includes the last day, in the zone of the person', () => {
    expect(secondsOf({ from: '2026-11-03', to: '2026-11-03' })).toEqual({
      from: new Date(2026, 10, 3).getTime() / 1_000,
      to: new Date(2026, 10, 4).getTime() / 1_000,
    });
    expect(secondsOf({ type: 'spark_read' })).toEqual({});
  });

  it('says when the days are not in order', () => {
    expect(hasDaysInOrder({ from: '2026-11-03', to: '2026-11-03' })).toBe(true);
    expect(hasDaysInOrder({ from: '2026-11-04', to: '2026-11-03' })).toBe(false);
    expect(hasDaysInOrder({ from: '2026-11-04' })).toBe(true);
  });
});
