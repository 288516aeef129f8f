import { randomFillSync, timingSafeEqual } from 'node:crypto';
import { encrypt, NONCE_BYTES, open, TAG_BYTES } from './gcm.js';
import { lengthPrefixed, lengthPrefixedBytes } from '../encoding/index.js';
import { WrongKey } from '../errors.js';
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

export const SALT_BYTES = 32;
const COMMIT_BYTES = 32;
const KEY_BYTES = 32;

/** Bytes that follow the salt, beside those of the plaintext: 60. */
export const AFTER_SALT_BYTES = COMMIT_BYTES + NONCE_BYTES + TAG_BYTES;

export interface RandomParts {
  readonly salt: Buffer;
  readonly nonce: Buffer;
}

/** One call for both, because a call to the generator costs more than its bytes. */
export function randomParts(): RandomParts {
  const random = randomFillSync(Buffer.alloc(SALT_BYTES + NONCE_BYTES));
  return { salt: random.subarray(0, SALT_BYTES), nonce: random.subarray(SALT_BYTES) };
}

/**
 * Seals under a key derived for this value: the parts before, then commitment 32 | nonce 12 | ciphertext | tag 16.
 *
 * The random salt gives every value a key of its own, so one secret may seal without limit. HKDF derives the key and the
 * commitment. The commitment makes the encryption key-committing, which GCM alone is not ("Fast Message Franking", Dodis
 * et al. 2018), and distinguishes a wrong key from changed bytes.
 */
export function sealAfter(
  before: readonly Buffer[],
  secret: Buffer,
  { salt, nonce }: RandomParts,
  context: SealContext,
  plaintext: Buffer,
): Buffer {
  const { info, aad } = encode(context);
  const derived = hkdf(secret, salt, info, KEY_BYTES + COMMIT_BYTES);
  try {
    const { text, tag } = encrypt(derived.subarray(0, KEY_BYTES), nonce, aad, plaintext);
    return Buffer.concat([...before, derived.subarray(KEY_BYTES), nonce, text, tag]);
  } finally {
    derived.fill(0);
  }
}

/**
 * Opens what `sealAfter` has put after the parts before, at least `AFTER_SALT_BYTES` bytes. The caller wipes the plaintext.
 * @throws WrongKey or Tampered
 */
export function openAfterSalt(secret: Buffer, salt: Buffer, context: SealContext, sealed: Buffer): Buffer {
  const { info, aad } = encode(context);
  const derived = hkdf(secret, salt, info, KEY_BYTES + COMMIT_BYTES);
  try {
    if (!timingSafeEqual(derived.subarray(KEY_BYTES), sealed.subarray(0, COMMIT_BYTES))) throw new WrongKey();
    return open(derived.subarray(0, KEY_BYTES), aad, sealed.subarray(COMMIT_BYTES));
  } finally {
    derived.fill(0);
  }
}

/** HKDF info and GCM AAD of a context. The encoding of a list is that of its fields one after the other, so the AAD begins with the info. */
function encode({ label, ids, attributes }: SealContext): { info: Buffer; aad: Buffer } {
  const aad = lengthPrefixed(label, ...ids, ...attributes);
  const bytes = attributes.reduce((rest, attribute) => rest - lengthPrefixedBytes(attribute), aad.length);
  return { info: aad.subarray(0, bytes), aad };
}
