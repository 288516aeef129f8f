import { describe, expect, it } from '@jest/globals';
import { changeOf } from './change-of.js';

describe('BIL-02: a change of the subscription, as it was typed', () => {
  it('is the name of a plan, or a count', () => {
    expect(changeOf('plan', ' team ')).toEqual({ plan: 'team' });
    expect(changeOf('seats', '3')).toEqual({ seats: 3 });
    expect(changeOf('storage_blocks', '0')).toEqual({ storage_blocks: 0 });
    expect(changeOf('seats', '10000')).toEqual({ seats: 10_000 });
  });

  it.each([
    ['plan', 'Team'],
    ['plan', ''],
    ['seats', ''],
    ['seats', '-1'],
    ['seats', '1.5'],
    ['seats', '10001'],
    ['bandwidth_blocks', '1001'],
  ] as const)('of %s is none for %j', (item, text) => {
    expect(changeOf(item, text)).toBeUndefined();
  });
});
