import { describe, expect, it } from '@jest/globals';
import { SegmentFilter } from './segment-filter.js';

describe('the filter of a segment', () => {
  const values = new Set(Array.from({ length: 2_000 }, (_, n) => `subject:spk_${n}`));
  const filter = new SegmentFilter(Buffer.from(SegmentFilter.of(values).bytes));

  it('finds each of its values', () => {
    expect([...values].every((value) => filter.mayHave(value))).toBe(true);
  });

  it('takes ten bits for a value, and finds at most two of a hundred others', () => {
    expect(filter.bytes).toHaveLength(2_500);
    const others = Array.from({ length: 5_000 }, (_, n) => `subject:other_${n}`);
    expect(others.filter((value) => filter.mayHave(value)).length).toBeLessThan(100);
  });

  it('finds nothing where there are no values', () => {
    expect(SegmentFilter.of(new Set()).mayHave('type:spark_read')).toBe(false);
  });
});
