import { UnknownFormat } from '../errors.js';
import type { Label } from '../labels.js';
import {
  AFTER_SALT_BYTES,
  openAfterSalt,
  randomParts,
  SALT_BYTES,
  sealAfter,
  type SealContext,
} from './derived-seal.js';

const HEADER_BYTES = 5;

/** Bytes that sealing adds to the plaintext: 97. */
export const SEALED_OVERHEAD_BYTES = HEADER_BYTES + SALT_BYTES + AFTER_SALT_BYTES;

/** Seals a value: header (magic 2, version, suite, kid) | salt 32 | commitment 32 | nonce 12 | ciphertext | tag 16. */
export function sealUnder(secret: Buffer, header: Buffer, context: SealContext, plaintext: Buffer): Buffer {
  const random = randomParts();
  return sealAfter([header, random.salt], secret, random, context, plaintext);
}

/**
 * Opens the output of `sealUnder` with the same header. The caller wipes the plaintext.
 * @throws UnknownFormat, WrongKey or Tampered
 */
export function openUnder(secret: Buffer, header: Buffer, context: SealContext, sealed: Buffer): Buffer {
  assertHeader(header, sealed);
  const salt = sealed.subarray(HEADER_BYTES, HEADER_BYTES + SALT_BYTES);
  return openAfterSalt(secret, salt, context, sealed.subarray(HEADER_BYTES + SALT_BYTES));
}

// The header is not in the AAD, so it is compared completely.
function assertHeader(header: Buffer, sealed: Buffer): void {
  if (sealed.length < SEALED_OVERHEAD_BYTES) throw new UnknownFormat();
  if (!sealed.subarray(0, HEADER_BYTES).equals(header)) throw new UnknownFormat();
}

// "VC", version 1, suite 1 (HKDF-SHA-256, AES-256-GCM, 32-byte commitment), reserved 0.
const CONTENT_HEADER = Buffer.from([0x56, 0x43, 1, 1, 0]);

/**
 * Seals content of any length under a key derived for this message. `fields` (ids, content type …) are bound to it and not
 * stored: the same fields open it. Costs one HKDF and one GCM.
 */
export function sealContent(key: Buffer, label: Label, fields: readonly string[], plaintext: Buffer): Buffer {
  return sealUnder(key, CONTENT_HEADER, { label, ids: fields, attributes: [] }, plaintext);
}

/**
 * Opens the output of `sealContent`. The caller wipes the plaintext.
 * @throws WrongKey for another key, label or other fields
 * @throws Tampered for changed bytes
 * @throws UnknownFormat for any other input
 */
export function openContent(key: Buffer, label: Label, fields: readonly string[], sealed: Buffer): Buffer {
  return openUnder(key, CONTENT_HEADER, { label, ids: fields, attributes: [] }, sealed);
}
