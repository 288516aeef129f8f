import { describe, expect, it } from '@jest/globals';
import { createHmac, randomBytes } from 'node:crypto';
import { lengthPrefixed } from '../encoding/index.js';
import { mac, macEquals, macKey } from './index.js';

const key = randomBytes(32);

describe('mac', () => {
  it('is HMAC-SHA-256 over the length-prefixed label and fields', () => {
    const expected = createHmac('sha256', key)
      .update(lengthPrefixed('vk/v1/refresh', 'a', 'b'))
      .digest();
    expect(mac(key, 'vk/v1/refresh', 'a', 'b')).toEqual(expected);
    expect(mac(macKey(key), 'vk/v1/refresh', 'a', 'b')).toEqual(expected);
  });

  it('differs by label, and when a character moves to the next field', () => {
    expect(mac(key, 'vk/v1/refresh', 'ab', 'c')).not.toEqual(mac(key, 'vk/v1/refresh', 'a', 'bc'));
    expect(mac(key, 'vk/v1/refresh', 'a')).not.toEqual(mac(key, 'vk/v1/call', 'a'));
  });

  it('refuses keys of fewer than 256 bits', () => {
    expect(() => mac(Buffer.alloc(31), 'vk/v1/refresh')).toThrow(RangeError);
    expect(() => macKey(Buffer.alloc(31))).toThrow(RangeError);
  });

  it('is compared by macEquals at any length without an exception', () => {
    expect(macEquals('a', 'a')).toBe(true);
    expect(macEquals('a', Buffer.from('a'))).toBe(true);
    expect(macEquals('', '')).toBe(true);
    expect(macEquals('a', 'ab')).toBe(false);
    expect(macEquals(Buffer.alloc(32), Buffer.alloc(31))).toBe(false);
  });
});
