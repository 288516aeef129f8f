import { describe, expect, it } from '@jest/globals';
import { isPrivateAddress } from './private-address.js';

describe('isPrivateAddress', () => {
  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:8.8.8.8', '2001:db8::1'])(
    'is true for %s',
    (address) => expect(isPrivateAddress(address)).toBe(true),
  );

  it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111'])('is false for %s', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  );

  it('is true for what is no address', () => {
    for (const text of ['', 'localhost', '[::1]', '2130706433']) expect(isPrivateAddress(text)).toBe(true);
  });
});
