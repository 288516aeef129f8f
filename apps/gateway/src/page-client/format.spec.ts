import { describe, expect, it } from '@jest/globals';
import { sizeText, waitText } from './format.js';

describe('OPEN-22: a size on a page', () => {
  it.each([
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 kB'],
    [25_600, '25.6 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1 MB'],
    [5_368_709_120, '5.4 GB'],
    [5_000_000_000_000, '5 TB'],
  ])('of %d bytes is shown with %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));
});

describe('OPEN-25: a waiting time on a page', () => {
  it.each([
    [1, '1 second'],
    [90, '90 seconds'],
    [91, '2 minutes'],
    [3_600, '60 minutes'],
  ])('of %d seconds is shown as %s', (seconds, text) => expect(waitText(seconds)).toBe(text));
});
