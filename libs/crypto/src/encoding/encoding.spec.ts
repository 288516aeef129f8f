import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import {
  decodeBase62,
  decodeBase64,
  decodeBase64Url,
  encodeBase62,
  lengthPrefixed,
  randomBase62,
} from './index.js';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));

afterEach(() => void jest.restoreAllMocks());

describe('lengthPrefixed', () => {
  it('never encodes two different lists of fields alike', () => {
    const field = fc.string({ unit: 'grapheme', maxLength: 6 });
    fc.assert(
      fc.property(fc.array(field, { maxLength: 4 }), fc.array(field, { maxLength: 4 }), (left, right) => {
        expect(lengthPrefixed(...left).equals(lengthPrefixed(...right))).toBe(
          JSON.stringify(left) === JSON.stringify(right),
        );
      }),
    );
  });

  it('distinguishes (ab, c) from (a, bc)', () => {
    expect(lengthPrefixed('ab', 'c')).not.toEqual(lengthPrefixed('a', 'bc'));
    expect(lengthPrefixed('ab')).not.toEqual(lengthPrefixed('ab', ''));
  });

  it('encodes a string like its UTF-8 bytes, after four bytes of length, whatever was in the memory before', () => {
    jest.spyOn(Buffer, 'allocUnsafe').mockImplementation((size) => Buffer.alloc(size, 0xaa));
    expect(lengthPrefixed('Zoë', Buffer.of(1)).toString('hex')).toBe('000000045a6fc3ab0000000101');
  });

  it('refuses a lone surrogate, which UTF-8 would replace by U+FFFD', () => {
    expect(() => lengthPrefixed('a\ud800')).toThrow(TypeError);
    expect(() => lengthPrefixed('\udc00a')).toThrow(TypeError);
  });
});

describe('Base62', () => {
  it('round-trips any 32 bytes through 43 characters, leading zeros included', () => {
    fc.assert(
      fc.property(bytes(32), fc.integer({ min: 0, max: 32 }), (secret, zeros) => {
        secret.fill(0, 0, zeros);
        const text = encodeBase62(secret, 43);
        expect(text).toMatch(/^[0-9A-Za-z]{43}$/);
        expect(decodeBase62(text, 32)).toEqual(secret);
      }),
    );
  });

  it('does not change its input', () => {
    const secret = Buffer.alloc(32, 7);
    encodeBase62(secret, 43);
    expect(secret).toEqual(Buffer.alloc(32, 7));
  });

  it('refuses 2^256 and accepts 2^256 - 1 for 32 bytes', () => {
    const largest = encodeBase62(Buffer.alloc(32, 0xff), 43);
    const next = encodeBase62(Buffer.concat([Buffer.of(1), Buffer.alloc(32)]), 43);
    expect(decodeBase62(largest, 32)).toEqual(Buffer.alloc(32, 0xff));
    expect(decodeBase62(next, 32)).toBeUndefined();
    expect(decodeBase62('z'.repeat(43), 32)).toBeUndefined();
  });

  it('refuses characters outside its alphabet', () => {
    for (const letter of ['-', '_', ' ', '+', '/', '=', 'é', '\u0000', 'Ā', '٣']) {
      expect(decodeBase62(letter, 32)).toBeUndefined();
    }
  });

  it('refuses bytes that do not fit the width', () => {
    expect(() => encodeBase62(Buffer.alloc(32, 0xff), 42)).toThrow(RangeError);
  });

  it('generates every character with equal probability (chi-square at p = 0.000000001)', () => {
    const draws = 124_000;
    const counts = new Map<string, number>();
    for (const letter of randomBase62(draws)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const expected = draws / 62;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(counts.size).toBe(62);
    expect(chiSquare).toBeLessThan(152); // 61 degrees of freedom
  });

  it('generates exactly the requested length', () => {
    for (const length of [0, 1, 22, 43, 500]) expect(randomBase62(length)).toHaveLength(length);
  });
});

describe('Strict base64 (RFC 4648)', () => {
  it('round-trips any bytes', () => {
    const anyBytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(anyBytes, (value) => {
        expect(decodeBase64(value.toString('base64'))).toEqual(value);
        expect(decodeBase64Url(value.toString('base64url'))).toEqual(value);
      }),
    );
  });

  it('accepts only the canonical encoding of each value', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'AQgwZ09+/-_= \n') });
    fc.assert(
      fc.property(nearly, (text) => {
        const standard = decodeBase64(text);
        const forUrls = decodeBase64Url(text);
        if (standard) expect(standard.toString('base64')).toBe(text);
        if (forUrls) expect(forUrls.toString('base64url')).toBe(text);
      }),
    );
  });

  it('refuses invalid characters, padding and pad bits, which Node ignores', () => {
    const broken = [
      'QQ',
      'QQ=',
      'QR==',
      'QQ==\n',
      'Q Q==',
      'QUI=QUI=',
      'Q===',
      '====',
      'QUJ-',
      'QUJ_',
      'QQ==QQ==',
    ];
    for (const text of broken) expect(decodeBase64(text)).toBeUndefined();
    for (const text of ['QQ==', 'QR', 'Q', 'QUJ+', 'QUJ/', 'QQ ', 'QQ\n'])
      expect(decodeBase64Url(text)).toBeUndefined();
  });

  it('decodes a Spark of 256,000 characters', () => {
    expect(decodeBase64('QUJD'.repeat(64_000))).toHaveLength(192_000);
  });
});
