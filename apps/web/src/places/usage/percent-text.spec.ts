import { describe, expect, it } from '@jest/globals';
import { percentText } from './percent-text.js';

describe('ENV-11: the used part of a pool', () => {
  it.each([
    [0, '0 %'],
    [0.0000001, 'Under 0.1 %'],
    [0.0123, '1.2 %'],
    [0.0999, '9.9 %'],
    [0.756, '75 %'],
    [0.9999, '99 %'],
    [1, '100 %'],
    [1.5, '150 %'],
  ])('of %d is shown as %s, and as 100 %% only when it is full', (fraction, text) => {
    expect(percentText(fraction)).toBe(text);
  });
});
