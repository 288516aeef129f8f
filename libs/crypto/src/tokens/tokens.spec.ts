import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import {
  formatToken,
  lastLetters,
  lookupHash,
  mintBearer,
  mintLinkCode,
  mintToken,
  parseBearer,
  parseLinkCode,
  parseToken,
  preview,
  type TokenKind,
  tokenPrefixes,
} from './index.js';

const kinds = Object.keys(tokenPrefixes) as TokenKind[];
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('tokens shown once: vk_live_, vmk_, dvak_, vat_', () => {
  it('ENV-18: a token is its prefix, 43 base62 letters and a checksum of 6', () => {
    for (const kind of kinds) {
      expect(mintToken(kind).text).toMatch(new RegExp(`^${tokenPrefixes[kind]}[0-9A-Za-z]{49}$`));
    }
  });

  it('gives back the bytes of any token', () => {
    const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.constantFrom(...kinds), secret, (kind, bytes) => {
        expect(parseToken(kind, formatToken(kind, bytes))).toEqual(bytes);
      }),
    );
  });

  it('refuses a token with any one letter changed, wherever it is', () => {
    const { text } = mintToken('vat');
    for (let index = 0; index < text.length; index += 1) {
      for (const letter of letters.replace(text.charAt(index), '')) {
        expect(parseToken('vat', text.slice(0, index) + letter + text.slice(index + 1))).toBeUndefined();
      }
    }
  });

  it('refuses a token of another kind, and one renamed to it', () => {
    for (const kind of kinds) {
      const { text } = mintToken(kind);
      for (const other of kinds.filter((candidate) => candidate !== kind)) {
        expect(parseToken(other, text)).toBeUndefined();
        expect(parseToken(other, text.replace(tokenPrefixes[kind], tokenPrefixes[other]))).toBeUndefined();
      }
    }
  });

  it('refuses other lengths, foreign letters and junk without failing', () => {
    const { text } = mintToken('apikey');
    for (const junk of [
      '',
      'vk_live_',
      text.slice(1),
      `${text}0`,
      `${text} `,
      text.toLowerCase(),
      `${text.slice(0, -1)}-`,
    ]) {
      expect(parseToken('apikey', junk)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (junk) => parseToken('apikey', junk) === undefined));
  });

  it('refuses a well-checksummed number of 2^256', () => {
    const above = 'vmk_h1t37HCgSvrgRrGqFGI57o6kVDR5BnvDEOlqlIlTlg0';
    expect(parseToken('vmk', above)).toBeUndefined();
  });

  it('refuses to format anything but 32 bytes', () => {
    expect(() => formatToken('vat', Buffer.alloc(31))).toThrow(RangeError);
  });

  it('MISC-03: a minted token that is logged or serialised shows nothing', () => {
    const token = mintToken('apikey');
    const shown = `${JSON.stringify({ token })} ${String(token)} ${inspect({ token }, { depth: 9, showHidden: true })}`;
    for (const encoding of ['hex', 'base64'] as const)
      expect(shown).not.toContain(token.bytes.toString(encoding));
    expect(shown).not.toContain(token.text);
    expect(shown).not.toContain(token.text.slice(-10));
  });

  it('KEY-05: a preview shows the prefix and the last 4 letters only', () => {
    const { text } = mintToken('apikey');
    expect(preview('apikey', text)).toBe(`vk_live_...${text.slice(-4)}`);
    expect(lastLetters(text)).toBe(text.slice(-4));
  });
});

describe('the lookup hash', () => {
  it('MISC-03: is SHA-256 behind the label of its kind, so no two kinds share an index', () => {
    const { bytes } = mintToken('vat');
    const expected = createHash('sha256')
      .update(Buffer.concat([Buffer.from('vk/v1/lookup/vat'), bytes]))
      .digest();
    expect(lookupHash('vat', bytes)).toEqual(expected);
    const all = (['apikey', 'vat', 'dvak', 'istk', 'upload', 'refresh', 'link', 'verification'] as const).map(
      (kind) => lookupHash(kind, bytes).toString('hex'),
    );
    expect(new Set(all).size).toBe(8);
  });
});

describe('bearer secrets in URLs', () => {
  it('ENV-18: a link code is 22 base62 letters, and nothing else parses as one', () => {
    const code = mintLinkCode();
    expect(code).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(parseLinkCode(code)).toEqual(Buffer.from(code));
    for (const junk of ['', code.slice(1), `${code}0`, `${code.slice(1)}-`, `${code}\n`]) {
      expect(parseLinkCode(junk)).toBeUndefined();
    }
  });

  it('an ISTK or upload id is 32 bytes in base64url, in one spelling only', () => {
    const text = mintBearer();
    expect(parseBearer(text)).toHaveLength(32);
    const respelt = text.slice(0, 42) + letters.replace(text.charAt(42), '').charAt(0);
    const spellings = [...`${letters}-_`].filter((letter) => parseBearer(text.slice(0, 42) + letter));
    expect(spellings).toHaveLength(16); // 43 letters carry 258 bits: 2 must be zero
    expect(parseBearer(respelt)?.equals(parseBearer(text) ?? Buffer.alloc(0)) ?? false).toBe(false);
    for (const junk of ['', text.slice(1), `${text}A`, `${text}=`]) expect(parseBearer(junk)).toBeUndefined();
  });
});
