import { describe, expect, it } from '@jest/globals';
import { bytesText } from './format.js';

describe('a size', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 kB'],
    [1_550, '1.6 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1 MB'],
    [5_497_558_138_880, '5.5 TB'],
    [1_000_000_000_000_000, '1,000 TB'],
  ])('of %d bytes is %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
