import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { lengthPrefixed } from '../encoding/index.js';
import { deriveKey } from './index.js';
import { hkdf } from './kdf.js';
import { wipedBy } from '@vaultsvc/testing/wiping';

const hex = (text: string) => Buffer.from(text, 'hex');
const range = (from: number, to: number) =>
  Buffer.from(Array.from({ length: to - from + 1 }, (_, index) => from + index));

describe('HKDF-SHA-256', () => {
  it('matches the test vector of RFC 5869, A.1', () => {
    expect(hkdf(Buffer.alloc(22, 0x0b), range(0x00, 0x0c), range(0xf0, 0xf9), 42)).toEqual(
      hex('3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865'),
    );
  });

  it('matches the test vector of RFC 5869, A.2 (longer inputs)', () => {
    expect(hkdf(range(0x00, 0x4f), range(0x60, 0xaf), range(0xb0, 0xff), 82)).toEqual(
      hex(
        'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09' +
          'da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87',
      ),
    );
  });

  it('matches the test vector of RFC 5869, A.3 (no salt, no info)', () => {
    expect(hkdf(Buffer.alloc(22, 0x0b), Buffer.alloc(0), Buffer.alloc(0), 42)).toEqual(
      hex('8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8'),
    );
  });

  // Calculated with the hmac module of Python, by the formulas of RFC 5869. Node accepts an info of 1,024 bytes at most.
  it.each([
    [1_024, 'e6a557d29cdd2e208fb186368fc02878a7eb82ec9328f6dc5cdb132caea33285decaec8d89332741008d'],
    [1_025, '45de33aa16da2981211ece05f5d5fc11c8a523434df72a872143886e6206415e43f0024f960d374a1225'],
  ])('derives for an info of %i bytes', (bytes, expected) => {
    const derived = hkdf(Buffer.alloc(22, 0x0b), range(0x00, 0x0c), Buffer.alloc(bytes, 'a'), 42);
    expect(derived.toString('hex')).toBe(expected);
  });

  it('is HMAC of the secret under the salt, then of block, info and number under that, for an info of any length', () => {
    const bytes = (maxLength: number) => fc.uint8Array({ maxLength, size: 'max' }).map(Buffer.from);
    const code = (key: Buffer, ...parts: Buffer[]) =>
      createHmac('sha256', key).update(Buffer.concat(parts)).digest();
    fc.assert(
      fc.property(bytes(100), bytes(100), bytes(2_000), (secret, salt, info) => {
        const first = code(code(salt, secret), info, Buffer.of(1));
        const second = code(code(salt, secret), first, info, Buffer.of(2));
        expect(hkdf(secret, salt, info, 64)).toEqual(Buffer.concat([first, second]));
      }),
    );
  });

  it('refuses more than 255 blocks (RFC 5869, 2.3)', () => {
    expect(hkdf(Buffer.alloc(32), Buffer.alloc(32), Buffer.alloc(0), 255 * 32)).toHaveLength(8_160);
    expect(() => hkdf(Buffer.alloc(32), Buffer.alloc(32), Buffer.alloc(0), 255 * 32 + 1)).toThrow(
      new RangeError('HKDF-SHA-256 derives 8160 bytes at most'),
    );
  });

  it('wipes the pseudorandom key, each block, and what is derived beyond the length', () => {
    const [secret, salt, info] = [Buffer.alloc(22, 0x0b), range(0x00, 0x0c), Buffer.alloc(1_025)];
    let derived: Buffer = Buffer.alloc(0);
    const wiped = wipedBy(() => (derived = hkdf(secret, salt, info, 42)));
    const pseudoRandomKey = createHmac('sha256', salt).update(secret).digest();
    expect(wiped).toContain(pseudoRandomKey.toString('hex'));
    const [first, second] = blocksOf(pseudoRandomKey, info);
    expect(wiped).toEqual(expect.arrayContaining([first.toString('hex'), second.toString('hex')]));
    expect(derived).toEqual(Buffer.concat([first, second.subarray(0, 10)]));
    expect(Buffer.from(derived.buffer, derived.byteOffset + 42, 22)).toEqual(Buffer.alloc(22));
  });
});

/** The first two blocks (RFC 5869, 2.3). */
function blocksOf(key: Buffer, info: Buffer) {
  const code = (...parts: Buffer[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest();
  const first = code(info, Buffer.of(1));
  return [first, code(first, info, Buffer.of(2))] as const;
}

describe('deriveKey', () => {
  it('uses the length-prefixed label and context as info', () => {
    const [secret, salt] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const expected = hkdf(secret, salt, lengthPrefixed('vk/v1/chunk', 'acc_A', '7'), 64);
    expect(deriveKey(secret, salt, 'vk/v1/chunk', ['acc_A', '7'], 64)).toEqual(expected);
    expect(deriveKey(secret, salt, 'vk/v1/chunk', ['acc_A7'], 64)).not.toEqual(expected);
  });
});
