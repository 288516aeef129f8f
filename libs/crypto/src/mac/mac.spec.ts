import { describe, expect, it } from '@jest/globals';
import { createHmac, randomBytes } from 'node:crypto';
import { lp } from '../encoding/index.js';
import { CallContextMac, mac, macEquals, macKey } from './index.js';

const key = randomBytes(32);

describe('MACs', () => {
  it('are HMAC-SHA-256 over the length-prefixed label and fields', () => {
    const expected = createHmac('sha256', key)
      .update(lp('vk/v1/refresh', 'a', 'b'))
      .digest();
    expect(mac(key, 'vk/v1/refresh', 'a', 'b')).toEqual(expected);
    expect(mac(macKey(key), 'vk/v1/refresh', 'a', 'b')).toEqual(expected);
  });

  it('differ when a letter moves from one field to the next, and by label', () => {
    expect(mac(key, 'vk/v1/refresh', 'ab', 'c')).not.toEqual(mac(key, 'vk/v1/refresh', 'a', 'bc'));
    expect(mac(key, 'vk/v1/refresh', 'a')).not.toEqual(mac(key, 'vk/v1/context', 'a'));
  });

  it('refuse keys below 256 bits', () => {
    expect(() => mac(Buffer.alloc(31), 'vk/v1/refresh')).toThrow(RangeError);
    expect(() => macKey(Buffer.alloc(31))).toThrow(RangeError);
    expect(() => new CallContextMac(Buffer.alloc(0))).toThrow(RangeError);
  });

  it('compare values of any length without throwing', () => {
    expect(macEquals('a', 'a')).toBe(true);
    expect(macEquals('a', Buffer.from('a'))).toBe(true);
    expect(macEquals('', '')).toBe(true);
    expect(macEquals('a', 'ab')).toBe(false);
    expect(macEquals(Buffer.alloc(32), Buffer.alloc(31))).toBe(false);
  });
});

describe('OPEN-51: the call context', () => {
  const signer = new CallContextMac(key);
  const header = '{"account":"acc_A","role":"member"}';

  it('is trusted for the operation and header that were signed', () => {
    expect(signer.verify('sparks.read', header, signer.sign('sparks.read', header))).toBe(true);
    expect(new CallContextMac(key).verify('sparks.read', header, signer.sign('sparks.read', header))).toBe(
      true,
    );
  });

  it('is refused for another operation, another header, another key, and when the MAC is missing or cut', () => {
    const signed = signer.sign('sparks.read', header);
    expect(signer.verify('sparks.delete', header, signed)).toBe(false);
    expect(signer.verify('sparks.read', header.replace('member', 'admin'), signed)).toBe(false);
    expect(new CallContextMac(randomBytes(32)).verify('sparks.read', header, signed)).toBe(false);
    for (const broken of [undefined, '', signed.slice(0, -1), `${signed}A`, `${signed}=`]) {
      expect(signer.verify('sparks.read', header, broken)).toBe(false);
    }
  });

  it('does not trade letters between operation and header', () => {
    expect(signer.verify('sparks', `.read${header}`, signer.sign('sparks.read', header))).toBe(false);
  });
});
