import { describe, expect, it } from '@jest/globals';
import { durationText } from './common.js';

describe('a duration', () => {
  it.each([
    [1, '1 second'],
    [60, '60 seconds'],
    [90, '2 minutes'],
    [3_540, '59 minutes'],
    [3_600, '1 hour'],
    [5_340, '89 minutes'],
    [5_400, '2 hours'],
    [86_400, '24 hours'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
