import { describe, expect, it } from '@jest/globals';
import { freeMemory } from './index.js';

describe('freeMemory', () => {
  it('empties bytes with memory of their own', () => {
    const bytes = Buffer.alloc(65_536, 'a');
    freeMemory(bytes);
    expect(bytes).toHaveLength(0);
  });

  it.each([
    ['of Node', () => Buffer.from('pooled')],
    ['of a larger buffer', () => Buffer.from('a larger one').subarray(2, 8)],
    ['of other threads', () => Buffer.from(new SharedArrayBuffer(6))],
  ])('leaves bytes that share the memory %s', (_, make) => {
    const bytes = make();
    freeMemory(bytes);
    expect(bytes).toHaveLength(6);
  });
});
