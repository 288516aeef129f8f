import { randomBytes } from 'node:crypto';
import { decodeBase64Url, randomBase62 } from '../encoding/index.js';

const LINK_CODE = /^[0-9A-Za-z]{22}$/;
const BEARER_BYTES = 32;
const BEARER_LETTERS = 43;

/** A new link code: 22 base62 letters, 131 bits. */
export function mintLinkCode(): string {
  return randomBase62(22);
}

/** The bytes of a link code (its letters in ASCII), for `lookupHash` and as wrapping secret; undefined if it is none. */
export function parseLinkCode(text: string): Buffer | undefined {
  return LINK_CODE.test(text) ? Buffer.from(text, 'latin1') : undefined;
}

/** A new bearer secret without prefix or checksum, for URLs (ISTK, upload_id): 32 random bytes in base64url. */
export function mintBearer(): string {
  return randomBytes(BEARER_BYTES).toString('base64url');
}

/** The 32 bytes of a bearer secret; undefined for anything that `mintBearer` cannot have written. */
export function parseBearer(text: string): Buffer | undefined {
  return text.length === BEARER_LETTERS ? decodeBase64Url(text) : undefined;
}
