import { randomFillSync } from 'node:crypto';
import { crc32, decodeBase62, encodeBase62 } from '../encoding/index.js';

/** The tokens that are shown once and typed by people: a prefix, 43 base62 letters and a checksum of 6. */
export type TokenKind = 'apikey' | 'vmk' | 'dvak' | 'vat';

/** How each kind of token begins (ENV-18). */
export const tokenPrefixes = { apikey: 'vk_live_', vmk: 'vmk_', dvak: 'dvak_', vat: 'vat_' } as const;

const SECRET_BYTES = 32;
const SECRET_LETTERS = 43; // 62^43 > 2^256
const CHECKSUM_LETTERS = 6; // 62^6 > 2^32
const PREVIEW_LETTERS = 4;

/** A fresh token. Its values are getters of private fields, so that an object logged by mistake shows nothing. */
export class MintedToken {
  readonly #text: string;
  readonly #bytes: Buffer;

  constructor(text: string, bytes: Buffer) {
    this.#text = text;
    this.#bytes = bytes;
  }

  /** The token as its holder gets it: shown once, never stored. */
  get text(): string {
    return this.#text;
  }

  /** The 32 bytes behind it: for `lookupHash` and as wrapping secret. The caller fills them with 0 when done. */
  get bytes(): Buffer {
    return this.#bytes;
  }
}

/** Draws 256 random bits and writes them as a token of this kind. */
export function mintToken(kind: TokenKind): MintedToken {
  const bytes = randomFillSync(Buffer.alloc(SECRET_BYTES));
  return new MintedToken(formatToken(kind, bytes), bytes);
}

/** The text of a token with these 32 bytes. */
export function formatToken(kind: TokenKind, bytes: Buffer): string {
  if (bytes.length !== SECRET_BYTES) throw new RangeError(`A token has ${SECRET_BYTES} bytes`);
  const body = tokenPrefixes[kind] + encodeBase62(bytes, SECRET_LETTERS);
  return body + checksumOf(body);
}

/**
 * The 32 bytes of a token, or undefined when the text is no token of this kind: another length, prefix or alphabet, a
 * wrong checksum, or a number of 2^256 and more. A well-formed token may still be unknown: answer both alike.
 */
export function parseToken(kind: TokenKind, text: string): Buffer | undefined {
  const prefix = tokenPrefixes[kind];
  const bodyLength = prefix.length + SECRET_LETTERS;
  if (text.length !== bodyLength + CHECKSUM_LETTERS || !text.startsWith(prefix)) return undefined;
  const body = text.slice(0, bodyLength);
  if (text.slice(bodyLength) !== checksumOf(body)) return undefined;
  return decodeBase62(body.slice(prefix.length), SECRET_BYTES);
}

/** What may be shown of a token later: its prefix, three dots and its last 4 letters (KEY-05). */
export function preview(kind: TokenKind, text: string): string {
  return `${tokenPrefixes[kind]}...${lastLetters(text)}`;
}

/** The last 4 letters of a token, the handle by which a DVAK is named. */
export function lastLetters(text: string): string {
  return text.slice(-PREVIEW_LETTERS);
}

// The checksum covers the prefix, so that a token renamed to another kind fails as a typing error does.
function checksumOf(body: string): string {
  return encodeBase62(crc32(body), CHECKSUM_LETTERS);
}
