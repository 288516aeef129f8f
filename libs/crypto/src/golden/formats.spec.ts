import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { openContent } from '../aead/index.js';
import { lp } from '../encoding/index.js';
import type { Label } from '../labels.js';
import { CallContextMac, CursorCodec, type CursorPosition, type CursorScope } from '../mac/index.js';
import { formatToken, type LookupKind, lookupHash, parseToken, type TokenKind } from '../tokens/index.js';
import { unwrapKey } from '../wrap/index.js';

/** Written by a program in another language from the description of the formats, so it is no mirror of this code. */
interface Formats {
  readonly lengthPrefixed: readonly { fields: string[]; hex: string }[];
  readonly tokens: readonly { kind: TokenKind; bytes: string; text: string }[];
  readonly lookups: readonly { kind: LookupKind; bytes: string; hash: string }[];
  readonly wraps: readonly {
    label: Label;
    ids: string[];
    attributes: string[];
    kid: number;
    wrappingKey: string;
    key: string;
    blob: string;
  }[];
  readonly contents: readonly {
    label: Label;
    fields: string[];
    key: string;
    plaintext: string;
    sealed: string;
  }[];
  readonly callContexts: readonly { key: string; operation: string; header: string; mac: string }[];
  readonly cursors: readonly (CursorPosition & {
    key: string;
    nowMs: number;
    scope: CursorScope;
    text: string;
  })[];
}

const formats = JSON.parse(readFileSync(new URL('./formats.json', import.meta.url), 'utf8')) as Formats;
const hex = (text: string) => Buffer.from(text, 'hex');

describe('what is stored today opens tomorrow: the formats never change (SPK-50, OPEN-51, ENV-15)', () => {
  it.each(formats.lengthPrefixed)('the length-prefixed encoding of $fields', ({ fields, hex: expected }) => {
    expect(lp(...fields).toString('hex')).toBe(expected);
  });

  it.each(formats.tokens)('the $kind token $text', ({ kind, bytes, text }) => {
    expect(formatToken(kind, hex(bytes))).toBe(text);
    expect(parseToken(kind, text)?.toString('hex')).toBe(bytes);
  });

  it.each(formats.lookups)('the lookup of $kind', ({ kind, bytes, hash }) => {
    expect(lookupHash(kind, hex(bytes)).toString('hex')).toBe(hash);
  });

  it.each(formats.wraps)('the wrap $label', ({ label, ids, attributes, kid, wrappingKey, key, blob }) => {
    expect(unwrapKey(hex(wrappingKey), label, ids, attributes, hex(blob), { kid }).toString('hex')).toBe(key);
  });

  it.each(formats.contents)('the content $label', ({ label, fields, key, plaintext, sealed }) => {
    expect(openContent(hex(key), label, fields, hex(sealed)).toString('hex')).toBe(plaintext);
  });

  it.each(formats.callContexts)('the context of $operation', ({ key, operation, header, mac }) => {
    expect(new CallContextMac(hex(key)).sign(operation, header)).toBe(mac);
  });

  it.each(formats.cursors)('the cursor $text', ({ key, nowMs, scope, position, filters, text }) => {
    const codec = new CursorCodec(hex(key), { now: () => nowMs });
    expect(codec.sign(scope, { position, filters })).toBe(text);
    expect(codec.open(scope, text)).toEqual({ position, filters });
  });
});
