import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../../pool/plans.js';
import { allowanceOf, itemsOf, priceOf } from './configuration.js';

const plan: Plan = {
  storageBytes: 1_000,
  bandwidthBytes: 2_000,
  identitySeats: 5,
  prices: { plan: 900, seat: 0, storageBlock: 300, bandwidthBlock: 100 },
  blocks: { storageBlockBytes: 10, bandwidthBlockBytes: 7 },
};
const planNamed = () => plan;
const wanted = { plan: 'team', seats: 3, storageBlocks: 2, bandwidthBlocks: 4 };

describe('OPEN-31: what an account subscribes to', () => {
  it('has an item for all that costs something, in the order of an invoice', () => {
    expect(itemsOf(wanted, planNamed)).toEqual([
      { item: 'plan', plan: 'team', quantity: 1, unitAmount: 900 },
      { item: 'storage_block', plan: 'team', quantity: 2, unitAmount: 300 },
      { item: 'bandwidth_block', plan: 'team', quantity: 4, unitAmount: 100 },
    ]);
    expect(priceOf(wanted, planNamed)).toBe(900 + 2 * 300 + 4 * 100);
  });

  it('has no item for what was not bought, which costs nothing', () => {
    const none = { plan: 'team', seats: 0, storageBlocks: 0, bandwidthBlocks: 0 };
    expect(itemsOf(none, planNamed)).toEqual([{ item: 'plan', plan: 'team', quantity: 1, unitAmount: 900 }]);
    expect(itemsOf(none, () => ({ ...plan, prices: { ...plan.prices, plan: 0 } }))).toEqual([]);
  });

  it('adds its seats and blocks to the limits of the plan', () => {
    expect(allowanceOf(wanted, planNamed)).toEqual({
      storageBytes: 1_000 + 2 * 10,
      bandwidthBytes: 2_000 + 4 * 7,
      identitySeats: 5 + 3,
    });
  });
});
