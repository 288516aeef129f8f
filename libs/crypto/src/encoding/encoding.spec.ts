import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  crc32,
  decodeBase62,
  decodeBase64,
  decodeBase64Url,
  encodeBase62,
  lp,
  newId,
  randomBase62,
} from './index.js';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));

describe('the length-prefixed encoding', () => {
  it('gives no two lists of fields the same bytes', () => {
    const field = fc.string({ unit: 'grapheme', maxLength: 6 });
    fc.assert(
      fc.property(fc.array(field, { maxLength: 4 }), fc.array(field, { maxLength: 4 }), (left, right) => {
        expect(lp(...left).equals(lp(...right))).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });

  it('keeps apart what a separator would join: (ab, c) and (a, bc)', () => {
    expect(lp('ab', 'c')).not.toEqual(lp('a', 'bc'));
    expect(lp('ab')).not.toEqual(lp('ab', ''));
  });

  it('treats text and its UTF-8 bytes alike', () => {
    expect(lp('Zoë')).toEqual(lp(Buffer.from('Zoë')));
  });

  it('refuses a lone surrogate, which UTF-8 would turn into the replacement character', () => {
    expect(() => lp('a\ud800')).toThrow(TypeError);
    expect(() => lp('\udc00a')).toThrow(TypeError);
  });
});

describe('base62', () => {
  it('gives back any 32 bytes from 43 letters, whatever zeros they begin with', () => {
    fc.assert(
      fc.property(bytes(32), fc.integer({ min: 0, max: 32 }), (secret, zeros) => {
        secret.fill(0, 0, zeros);
        const text = encodeBase62(secret, 43);
        expect(text).toMatch(/^[0-9A-Za-z]{43}$/);
        expect(decodeBase62(text, 32)).toEqual(secret);
      }),
    );
  });

  it('leaves the bytes that it encodes as they were', () => {
    const secret = Buffer.alloc(32, 7);
    encodeBase62(secret, 43);
    expect(secret).toEqual(Buffer.alloc(32, 7));
  });

  it('refuses a number of 2^256 and takes the one below it', () => {
    const largest = encodeBase62(Buffer.alloc(32, 0xff), 43);
    const next = encodeBase62(Buffer.concat([Buffer.of(1), Buffer.alloc(32)]), 43);
    expect(decodeBase62(largest, 32)).toEqual(Buffer.alloc(32, 0xff));
    expect(decodeBase62(next, 32)).toBeUndefined();
    expect(decodeBase62('z'.repeat(43), 32)).toBeUndefined();
  });

  it('refuses letters of other alphabets', () => {
    for (const letter of ['-', '_', ' ', '+', '/', '=', 'é', '\u0000', 'Ā', '٣']) {
      expect(decodeBase62(letter, 32)).toBeUndefined();
    }
  });

  it('says so when the bytes do not fit the width', () => {
    expect(() => encodeBase62(Buffer.alloc(32, 0xff), 42)).toThrow(RangeError);
  });

  it('draws every letter equally often (chi-square at p = 0.000000001)', () => {
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

  it('draws exactly the length asked for', () => {
    for (const length of [0, 1, 22, 43, 500]) expect(randomBase62(length)).toHaveLength(length);
  });
});

describe('ids', () => {
  it('ENV-18: an id is its prefix and 22 base62 letters', () => {
    for (const prefix of ['key_', 'spk_', 'kdl_', 'vlt_', 'ing_', 'usr_', 'acc_', 'vat_', 'dvak_'] as const) {
      expect(newId(prefix)).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{22}$`));
    }
  });

  it('does not repeat', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('spk_'))).size).toBe(10_000);
  });
});

describe('strict base64', () => {
  it('gives back what was encoded', () => {
    const anyBytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(anyBytes, (value) => {
        expect(decodeBase64(value.toString('base64'))).toEqual(value);
        expect(decodeBase64Url(value.toString('base64url'))).toEqual(value);
      }),
    );
  });

  it('accepts one spelling of each value: the encoder of any accepted text gives that text', () => {
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

  it('refuses what Node would skip or guess', () => {
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

  it('takes a Spark of 256,000 characters', () => {
    expect(decodeBase64('QUJD'.repeat(64_000))).toHaveLength(192_000);
  });
});

describe('crc32', () => {
  it('gives the check value of the standard', () => {
    expect(crc32('123456789').toString('hex')).toBe('cbf43926');
  });
});
