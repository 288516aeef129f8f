import { describe, expect, it } from '@jest/globals';
import { moneyText } from './money-text.js';

describe('OPEN-31: an amount of money', () => {
  it.each([
    [4_900, 'eur', '€49.00'],
    [5, 'eur', '€0.05'],
    [-800, 'usd', '-US$8.00'],
    [4_900, 'jpy', 'JP¥4,900'],
  ])('of %d minor units of %s is %s', (amount, currency, text) => {
    expect(moneyText({ amount, currency })).toBe(text);
  });
});
