import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { openContent } from '../aead/index.js';
import { CHUNK_BYTES, type FileVersion, openChunkRange, slicesOf } from '../container/index.js';
import { sealChunkWithSalt } from '../container/seal-chunk.js';
import { lengthPrefixed } from '../encoding/index.js';
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
  readonly chunks: readonly {
    fileKey: string;
    file: FileVersion;
    chunk: number;
    salt: string;
    commitment: string;
    bytes: number;
    mac: string;
    storedBytes: number;
    storedSha256: string;
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

describe('SPK-50 ING-41 OPEN-51 ENV-15: Every release keeps', () => {
  it.each(formats.lengthPrefixed)('the length-prefixed encoding of $fields', ({ fields, hex: expected }) => {
    expect(lengthPrefixed(...fields).toString('hex')).toBe(expected);
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

  it.each(formats.chunks)('the chunk $chunk of a file of $file.bytes bytes', async (golden) => {
    // Too long to be kept whole: byte i of the plaintext is i mod 251, and of the stored bytes there is the hash.
    const plaintext = Buffer.alloc(golden.bytes, Buffer.from(Array.from({ length: 251 }, (_, byte) => byte)));
    const { fileKey, file, chunk } = golden;
    const { row, stream } = sealChunkWithSalt(hex(fileKey), file, chunk, hex(golden.salt));
    const stored = await buffer(stream.end(plaintext));
    expect([row.commitment, row.mac].map((field) => field.toString('hex'))).toEqual([
      golden.commitment,
      golden.mac,
    ]);
    expect([row.bytes, stored.length]).toEqual([golden.bytes, golden.storedBytes]);
    expect(createHash('sha256').update(stored).digest('hex')).toBe(golden.storedSha256);

    const [slice] = [...slicesOf(file.bytes, chunk * CHUNK_BYTES, golden.bytes)];
    const opened = await buffer(openChunkRange(hex(fileKey), file, row, slice!).end(stored));
    expect(opened.equals(plaintext)).toBe(true);
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
