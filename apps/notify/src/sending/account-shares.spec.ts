import { describe, expect, it } from '@jest/globals';
import { AccountShares } from './account-shares.js';

/** With these messages in flight, as many times as an account is named. */
function sharesOf(places: number, ...accounts: string[]): AccountShares {
  const shares = new AccountShares(places);
  for (const account of accounts) shares.begin(account);
  return shares;
}

const times = (count: number, account: string) => Array.from({ length: count }, () => account);

/** Messages that an account has in flight once it may send no other. */
function reached(shares: AccountShares, account: string, isOtherWaiting = false): number {
  let count = 0;
  for (; shares.extensible(isOtherWaiting).includes(account); count++) shares.begin(account);
  return count;
}

describe('NTF-30: of 20 places, an account', () => {
  it('has a quarter until its provider has answered', () => {
    expect(reached(sharesOf(20, 'a'), 'a')).toBe(5 - 1);
  });

  it('has seven eighths once it has, while it is alone', () => {
    const shares = sharesOf(20, 'a', 'a');
    shares.end('a', true);
    expect(reached(shares, 'a')).toBe(17 - 1);
  });

  it('has a quarter while others send or wait', () => {
    const shares = sharesOf(20, 'a', 'a', 'b');
    shares.end('a', true);
    expect(reached(shares, 'a')).toBe(5 - 1);
    shares.end('b', true);
    expect(reached(shares, 'a', true)).toBe(0);
  });

  it('gets a quarter again when a message was not answered', () => {
    const shares = sharesOf(20, ...times(8, 'a'));
    shares.end('a', true);
    shares.end('a', false);
    expect(reached(shares, 'a')).toBe(0);
  });

  it('with the fewest messages in flight is first', () => {
    expect(sharesOf(20, 'a', 'a', 'a', 'b', 'c', 'c').extensible(false)).toEqual(['b', 'c', 'a']);
  });
});

it.each([
  [2, 1],
  [3, 2],
  [5, 4],
])('NTF-30: of %i places, an account alone has %i', (places, most) => {
  const shares = sharesOf(places, 'a');
  shares.begin('a');
  shares.end('a', true);
  expect(1 + reached(shares, 'a')).toBe(most);
});
