import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { decodeBase62, decodeBase64Url, encodeBase62, newCode } from '../encoding/index.js';

/** Tokens that are shown once and that people copy: a prefix, 43 base62 characters and a checksum of 6. */
export type TokenKind = 'apikey' | 'vmk' | 'dvak' | 'vat';

/** The prefix of each kind (ENV-18). */
export const tokenPrefixes = { apikey: 'vk_live_', vmk: 'vmk_', dvak: 'dvak_', vat: 'vat_' } as const;

const SECRET_BYTES = 32;
const SECRET_CHARACTERS = 43; // 62^43 > 2^256
const CHECKSUM_CHARACTERS = 6; // 62^6 > 2^32
const PREVIEW_CHARACTERS = 4;

/** A new token. Its values are getters of private fields, so a log of the object does not reveal them. */
export class MintedToken {
  readonly #text: string;
  readonly #bytes: Buffer;

  constructor(text: string, bytes: Buffer) {
    this.#text = text;
    this.#bytes = bytes;
  }

  /** The token as its holder receives it: shown once, never stored. */
  get text(): string {
    return this.#text;
  }

  /** The 32 bytes of the token, for `lookupHash` and as wrapping secret. The caller wipes them. */
  get bytes(): Buffer {
    return this.#bytes;
  }
}

/** A token of this kind with 256 random bits. */
export function mintToken(kind: TokenKind): MintedToken {
  const bytes = randomFillSync(Buffer.alloc(SECRET_BYTES));
  return new MintedToken(formatToken(kind, bytes), bytes);
}

/**
 * The text of a token.
 * @throws RangeError if `bytes` does not have 32 bytes
 */
export function formatToken(kind: TokenKind, bytes: Buffer): string {
  if (bytes.length !== SECRET_BYTES) throw new RangeError(`A token has ${SECRET_BYTES} bytes`);
  const body = tokenPrefixes[kind] + encodeBase62(bytes, SECRET_CHARACTERS);
  return body + checksumOf(body);
}

/**
 * The 32 bytes of a token; undefined if the text is no token of this kind: another length, prefix or alphabet, a wrong
 * checksum, or a number of 2^256 or more. Callers must answer malformed and unknown tokens alike.
 */
export function parseToken(kind: TokenKind, text: string): Buffer | undefined {
  const prefix = tokenPrefixes[kind];
  const bodyLength = prefix.length + SECRET_CHARACTERS;
  if (text.length !== bodyLength + CHECKSUM_CHARACTERS || !text.startsWith(prefix)) return undefined;
  const body = text.slice(0, bodyLength);
  if (text.slice(bodyLength) !== checksumOf(body)) return undefined;
  return decodeBase62(body.slice(prefix.length), SECRET_BYTES);
}

/** The masked form of a token: its prefix, three dots and its last 4 characters (KEY-05). */
export function preview(kind: TokenKind, text: string): string {
  return `${tokenPrefixes[kind]}...${lastCharacters(text)}`;
}

/** The last 4 characters of a token, by which callers refer to a DVAK. */
export function lastCharacters(text: string): string {
  return text.slice(-PREVIEW_CHARACTERS);
}

// The checksum covers the prefix, so a token with the prefix of another kind fails like a typing error.
function checksumOf(body: string): string {
  return encodeBase62(crc32(body), CHECKSUM_CHARACTERS);
}

/** CRC-32 (IEEE 802.3, as in zip and PNG) as 4 big-endian bytes. It detects typing errors and protects nothing. */
export function crc32(text: string): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(zlibCrc32(text));
  return checksum;
}

const LINK_CODE = /^[0-9A-Za-z]{22}(?:[0-9A-Za-z]{2})?$/;
const BEARER_BYTES = 32;
const BEARER_CHARACTERS = 43;

/** A new link code of an account of this shard: 22 base62 characters, 131 bits, and two for a shard that is not the first. */
export function mintLinkCode(shard = 0): string {
  return newCode(shard);
}

/** The bytes of a link code (its ASCII), for `lookupHash` and as wrapping secret; undefined for any other text. */
export function parseLinkCode(text: string): Buffer | undefined {
  return LINK_CODE.test(text) ? Buffer.from(text, 'latin1') : undefined;
}

/** A new bearer secret for URLs (ISTK, upload_id): 32 random bytes in base64url, without prefix and checksum. */
export function mintBearer(): string {
  return randomBytes(BEARER_BYTES).toString('base64url');
}

/** The 32 bytes of a bearer secret; undefined for any text other than canonical base64url of 32 bytes. */
export function parseBearer(text: string): Buffer | undefined {
  return text.length === BEARER_CHARACTERS ? decodeBase64Url(text) : undefined;
}

/** The kinds of bearer secrets that are found by their hash. A VMK is not: nothing of it is stored. */
export type LookupKind =
  | 'apikey'
  | 'vat'
  | 'dvak'
  | 'istk'
  | 'upload'
  | 'refresh'
  | 'link'
  | 'verification'
  | 'interaction'
  | 'passkey-challenge'
  | 'panel-ticket'
  | 'panel';

/**
 * The 32-byte index by which a bearer secret is found: SHA-256(`vk/v1/lookup/<kind>` || secret).
 *
 * A fast hash suffices, because secrets of 131 bits and more cannot be guessed. The timing of a search by hash reveals
 * nothing about the secret. Wrapping keys are derived from the same secret with HKDF, so stolen hashes open nothing.
 */
export function lookupHash(kind: LookupKind, secret: Buffer): Buffer {
  return createHash('sha256').update(`vk/v1/lookup/${kind}`).update(secret).digest();
}
