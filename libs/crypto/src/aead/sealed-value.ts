import { randomFillSync, timingSafeEqual } from 'node:crypto';
import { NONCE_BYTES, open, sealWithNonce, TAG_BYTES } from './gcm.js';
import { lengthPrefixed } from '../encoding/index.js';
import { UnknownFormat, WrongKey } from '../errors.js';
import { hkdf } from '../kdf/kdf.js';
import type { Label } from '../labels.js';

/** The purpose and owner of a sealed value. It is not stored: the caller supplies it again to open the value. */
export interface SealContext {
  readonly label: Label;
  /** Input of the key derivation: other ids give `WrongKey`. */
  readonly ids: readonly string[];
  /** Authenticated as AAD: other attributes give `Tampered`. */
  readonly attributes: readonly string[];
}

const HEADER_BYTES = 5;
const SALT_BYTES = 32;
const COMMIT_BYTES = 32;
const KEY_BYTES = 32;
const BODY_OFFSET = HEADER_BYTES + SALT_BYTES + COMMIT_BYTES;

/** Bytes that sealing adds to the plaintext: 97. */
export const SEALED_OVERHEAD_BYTES = BODY_OFFSET + NONCE_BYTES + TAG_BYTES;

/**
 * Seals a value: header (magic 2, version, suite, kid) | salt 32 | commitment 32 | nonce 12 | ciphertext | tag 16.
 *
 * A random salt gives every value a key of its own, so one secret may seal without limit. HKDF derives the key and the
 * commitment. The commitment makes the encryption key-committing, which GCM alone is not ("Fast Message Franking", Dodis
 * et al. 2018), and distinguishes a wrong key from changed bytes.
 */
export function sealUnder(secret: Buffer, header: Buffer, context: SealContext, plaintext: Buffer): Buffer {
  const { info, aad } = encode(context);
  // One call for both, because a call to the generator costs more than its bytes.
  const random = randomFillSync(Buffer.alloc(SALT_BYTES + NONCE_BYTES));
  const salt = random.subarray(0, SALT_BYTES);
  const nonce = random.subarray(SALT_BYTES);
  const derived = hkdf(secret, salt, info, KEY_BYTES + COMMIT_BYTES);
  try {
    const body = sealWithNonce(derived.subarray(0, KEY_BYTES), nonce, aad, plaintext);
    return Buffer.concat([header, salt, derived.subarray(KEY_BYTES), nonce, body]);
  } finally {
    derived.fill(0);
  }
}

/**
 * Opens the output of `sealUnder` with the same header. The caller wipes the plaintext.
 * @throws UnknownFormat, WrongKey or Tampered
 */
export function openUnder(secret: Buffer, header: Buffer, context: SealContext, sealed: Buffer): Buffer {
  assertHeader(header, sealed);
  const { info, aad } = encode(context);
  const salt = sealed.subarray(HEADER_BYTES, HEADER_BYTES + SALT_BYTES);
  const derived = hkdf(secret, salt, info, KEY_BYTES + COMMIT_BYTES);
  try {
    const commitment = sealed.subarray(HEADER_BYTES + SALT_BYTES, BODY_OFFSET);
    if (!timingSafeEqual(derived.subarray(KEY_BYTES), commitment)) throw new WrongKey();
    return open(derived.subarray(0, KEY_BYTES), aad, sealed.subarray(BODY_OFFSET));
  } finally {
    derived.fill(0);
  }
}

// The header is not in the AAD, so it is compared completely.
function assertHeader(header: Buffer, sealed: Buffer): void {
  if (sealed.length < SEALED_OVERHEAD_BYTES) throw new UnknownFormat();
  if (!sealed.subarray(0, HEADER_BYTES).equals(header)) throw new UnknownFormat();
}

/** HKDF info and GCM AAD of a context. Without attributes both are equal and encoded once. */
function encode({ label, ids, attributes }: SealContext): { info: Buffer; aad: Buffer } {
  const info = lengthPrefixed(label, ...ids);
  return { info, aad: attributes.length === 0 ? info : lengthPrefixed(label, ...ids, ...attributes) };
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
