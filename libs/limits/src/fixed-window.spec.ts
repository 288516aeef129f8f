import { describe, expect, it } from '@jest/globals';
import { clientNetwork, isOverLimit } from './fixed-window.js';
import { KeyNames } from './key-names.js';

describe('OPEN-10: the rate limiter counts IPv6 callers by their /64', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:A::c:d:e:f', '2001:db8:a:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['1::4:5:6:7:8', '1:0:0:4::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80:1:2:3:4:5:6:7%eth0', 'fe80:1:2:3::/64'],
  ])('%s as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
    expect(new KeyNames(false).callsOfAddress(address)).toBe(`ip:${network}:`);
  });
});

describe('ENV-32: a window', () => {
  it.each([
    [299, false],
    [300, false],
    [301, true],
  ])('with %i of 300 calls is over its limit: %p', (used, isOver) => {
    expect(isOverLimit({ of: 'account', limit: 300, used, resetsAt: 60, now: 1 })).toBe(isOver);
  });
});
