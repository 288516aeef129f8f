import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { crc32 } from './tokens.js';
import {
  formatToken,
  lastCharacters,
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

describe('Tokens with a checksum: vk_live_, vmk_, dvak_, vat_', () => {
  it('ENV-18: consist of a prefix, 43 base62 characters and a checksum of 6', () => {
    for (const kind of kinds) {
      expect(mintToken(kind).text).toMatch(new RegExp(`^${tokenPrefixes[kind]}[0-9A-Za-z]{49}$`));
    }
  });

  it('parse to the bytes from which they were formatted', () => {
    const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.constantFrom(...kinds), secret, (kind, bytes) => {
        expect(parseToken(kind, formatToken(kind, bytes))).toEqual(bytes);
      }),
    );
  });

  it('are refused with any single character changed', () => {
    const { text } = mintToken('vat');
    for (let index = 0; index < text.length; index += 1) {
      for (const letter of letters.replace(text.charAt(index), '')) {
        expect(parseToken('vat', text.slice(0, index) + letter + text.slice(index + 1))).toBeUndefined();
      }
    }
  });

  it('are refused as another kind, also with its prefix', () => {
    for (const kind of kinds) {
      const { text } = mintToken(kind);
      for (const other of kinds.filter((candidate) => candidate !== kind)) {
        expect(parseToken(other, text)).toBeUndefined();
        expect(parseToken(other, text.replace(tokenPrefixes[kind], tokenPrefixes[other]))).toBeUndefined();
      }
    }
  });

  it('of other lengths, with other characters, and any other text, parse to undefined', () => {
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

  it('are refused for a number of 2^256 with a valid checksum', () => {
    const above = 'vmk_h1t37HCgSvrgRrGqFGI57o6kVDR5BnvDEOlqlIlTlg0';
    expect(parseToken('vmk', above)).toBeUndefined();
  });

  it('are formatted from exactly 32 bytes', () => {
    expect(() => formatToken('vat', Buffer.alloc(31))).toThrow(RangeError);
  });

  it('MISC-03: reveal nothing when logged or serialized', () => {
    const token = mintToken('apikey');
    const shown = `${JSON.stringify({ token })} ${String(token)} ${inspect({ token }, { depth: 9, showHidden: true })}`;
    for (const encoding of ['hex', 'base64'] as const)
      expect(shown).not.toContain(token.bytes.toString(encoding));
    expect(shown).not.toContain(token.text);
    expect(shown).not.toContain(token.text.slice(-10));
  });

  it('KEY-05: have a preview of their prefix and last 4 characters only', () => {
    const { text } = mintToken('apikey');
    expect(preview('apikey', text)).toBe(`vk_live_...${text.slice(-4)}`);
    expect(lastCharacters(text)).toBe(text.slice(-4));
  });
});

describe('lookupHash', () => {
  it('MISC-03: is SHA-256 over the label of the kind and the secret, so two kinds never share an index', () => {
    const { bytes } = mintToken('vat');
    const expected = createHash('sha256')
      .update(Buffer.concat([Buffer.from('vk/v1/lookup/vat'), bytes]))
      .digest();
    expect(lookupHash('vat', bytes)).toEqual(expected);
    const lookupKinds = [
      ...(['apikey', 'vat', 'dvak', 'istk', 'upload', 'refresh', 'link', 'verification'] as const),
      ...(['interaction', 'passkey-challenge', 'panel-ticket', 'panel'] as const),
    ];
    const all = lookupKinds.map((kind) => lookupHash(kind, bytes).toString('hex'));
    expect(new Set(all).size).toBe(lookupKinds.length);
  });
});

describe('Bearer secrets in URLs', () => {
  it('ENV-18: as link codes have exactly 22 base62 characters', () => {
    const code = mintLinkCode();
    expect(code).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(parseLinkCode(code)).toEqual(Buffer.from(code));
    for (const junk of ['', code.slice(1), `${code}0`, `${code.slice(1)}-`, `${code}\n`]) {
      expect(parseLinkCode(junk)).toBeUndefined();
    }
  });

  it('as ISTK and upload id are canonical base64url of 32 bytes', () => {
    const text = mintBearer();
    expect(parseBearer(text)).toHaveLength(32);
    const respelt = text.slice(0, 42) + letters.replace(text.charAt(42), '').charAt(0);
    const spellings = [...`${letters}-_`].filter((letter) => parseBearer(text.slice(0, 42) + letter));
    expect(spellings).toHaveLength(16); // 43 letters carry 258 bits: 2 must be zero
    expect(parseBearer(respelt)?.equals(parseBearer(text) ?? Buffer.alloc(0)) ?? false).toBe(false);
    for (const junk of ['', text.slice(1), `${text}A`, `${text}=`]) expect(parseBearer(junk)).toBeUndefined();
  });
});

describe('crc32', () => {
  it('returns the check value of the standard', () => {
    expect(crc32('123456789').toString('hex')).toBe('cbf43926');
  });
});
