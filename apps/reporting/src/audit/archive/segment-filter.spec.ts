import { describe, expect, it } from '@jest/globals';
import { filterKeyOf, SegmentFilter } from './segment-filter.js';

describe('the filter of a segment', () => {
  const values = new Set(Array.from({ length: 2_000 }, (_, n) => `subject:spk_${n}`));
  const filter = new SegmentFilter(Buffer.from(SegmentFilter.of(values).bytes));

  it('finds each of its values', () => {
    expect([...values].every((value) => filter.mayHave(filterKeyOf(value)))).toBe(true);
  });

  it('has twenty bits for a value, and finds at most one of a thousand others', () => {
    expect(filter.bytes).toHaveLength(5_001);
    const others = Array.from({ length: 20_000 }, (_, n) => `subject:other_${n}`);
    expect(others.filter((value) => filter.mayHave(filterKeyOf(value))).length).toBeLessThan(20);
  });

  it('finds nothing where there are no values', () => {
    expect(SegmentFilter.of(new Set()).mayHave(filterKeyOf('type:spark_read'))).toBe(false);
  });

  it('of another version is refused', () => {
    expect(() => new SegmentFilter(Buffer.of(2, 255))).toThrow('version 2');
  });
});
