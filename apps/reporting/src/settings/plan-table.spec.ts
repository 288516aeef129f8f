import { describe, expect, it } from '@jest/globals';
import { defaultPlans, planTable } from './plan-table.js';

const prices = { price: 0, seat_price: 500, storage_block_price: 1_000, bandwidth_block_price: 1_000 };
const blocks = { storage_block_bytes: 10, bandwidth_block_bytes: 20 };
const limits = { storage_bytes: 1, bandwidth_bytes: 2, seats: 3 };
const parse = (table: object) => planTable(JSON.stringify(table));

describe('OPEN-04: the plan table', () => {
  it('has a default plan, and any other plans with their limits', () => {
    const table = parse({
      default: { ...prices, ...blocks },
      large: { ...prices, ...blocks, ...limits, price: 9 },
    });
    expect(Object.fromEntries(table)).toEqual({
      default: {
        prices: { plan: 0, seat: 500, storageBlock: 1_000, bandwidthBlock: 1_000 },
        blocks: { storageBlockBytes: 10, bandwidthBlockBytes: 20 },
        limits: undefined,
      },
      large: {
        prices: { plan: 9, seat: 500, storageBlock: 1_000, bandwidthBlock: 1_000 },
        blocks: { storageBlockBytes: 10, bandwidthBlockBytes: 20 },
        limits: { storageBytes: 1, bandwidthBytes: 2, identitySeats: 3 },
      },
    });
  });

  it('has prices by default', () => {
    expect([...defaultPlans.keys()]).toEqual(['default', 'team', 'business']);
  });

  it.each([
    ['no JSON', '{', 'must be JSON'],
    ['a list', '[]', 'must be a JSON object'],
    ['no default', '{}', 'must have an entry "default"'],
    ['a name with a space', JSON.stringify({ 'a b': {} }), 'must have names'],
    ['a missing price', JSON.stringify({ default: blocks }), 'in default.price'],
    ['a fraction', JSON.stringify({ default: { ...prices, ...blocks, price: 0.5 } }), 'in default.price'],
    [
      'a negative price',
      JSON.stringify({ default: { ...prices, ...blocks, price: -1 } }),
      'in default.price',
    ],
    [
      'limits of the default plan',
      JSON.stringify({ default: { ...prices, ...blocks, seats: 5 } }),
      'default.seats',
    ],
  ])('is refused with %s', (_, text, message) => {
    expect(() => planTable(text)).toThrow(message);
  });

  it.each([
    ['price', 100_000_000],
    ['seat_price', 100_000_000],
    ['storage_block_bytes', 1_099_511_627_776],
    ['storage_bytes', 1_125_899_906_842_624],
    ['seats', 1_000_000],
  ])('keeps sums within the safe integers: %s is %d at most', (field, max) => {
    const table = (value: number) => ({
      default: { ...prices, ...blocks },
      large: { ...prices, ...blocks, ...limits, [field]: value },
    });
    expect(parse(table(max)).has('large')).toBe(true);
    expect(() => parse(table(max + 1))).toThrow(`must have an integer from 0 to ${max} in large.${field}`);
  });
});
