import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import { Tampered, UnknownFormat } from '../errors.js';

export const GCM_ALGORITHM = 'aes-256-gcm';
/** 96 bits, the nonce length that GCM uses without hashing (NIST SP 800-38D, 7.1). */
export const NONCE_BYTES = 12;
/** The full 128 bits. */
export const TAG_BYTES = 16;
// Without it Node accepts tags truncated to 4 bytes, which 2^32 attempts forge.
export const GCM_OPTIONS = { authTagLength: TAG_BYTES } as const;

/**
 * Encrypts with AES-256-GCM under a random nonce: nonce (12) | ciphertext | tag (16). `aad` is authenticated and not stored.
 *
 * With random nonces one key may encrypt 2^32 messages (NIST SP 800-38D, 8.3). Where there may be more, derive a key per
 * message, as `sealContent` does.
 */
export function seal(key: Buffer, aad: Buffer, plaintext: Buffer): Buffer {
  const nonce = randomFillSync(Buffer.alloc(NONCE_BYTES));
  const { text, tag } = encrypt(key, nonce, aad, plaintext);
  return Buffer.concat([nonce, text, tag]);
}

/**
 * Decrypts the output of `seal`.
 * @throws Tampered if authentication fails
 * @throws UnknownFormat for fewer than 28 bytes
 */
export function open(key: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  return openWithNonce(key, sealed.subarray(0, NONCE_BYTES), aad, sealed.subarray(NONCE_BYTES));
}

/**
 * Encrypts like `seal` under the given nonce, which the result does not contain. A nonce must never be used twice with one
 * key: a repetition reveals the XOR of both plaintexts and allows forgeries.
 */
export function sealWithNonce(key: Buffer, nonce: Buffer, aad: Buffer, plaintext: Buffer): Buffer {
  const { text, tag } = encrypt(key, nonce, aad, plaintext);
  return Buffer.concat([text, tag]);
}

/** As `sealWithNonce`, for a caller that puts ciphertext and tag into a larger message, so that they are copied once. */
export function encrypt(
  key: Buffer,
  nonce: Buffer,
  aad: Buffer,
  plaintext: Buffer,
): { text: Buffer; tag: Buffer } {
  const cipher = createCipheriv(GCM_ALGORITHM, cipherKey(key), assertNonce(nonce), GCM_OPTIONS).setAAD(aad);
  // GCM is a counter mode: `update` returns the whole ciphertext and `final` nothing.
  const text = cipher.update(plaintext);
  cipher.final();
  return { text, tag: cipher.getAuthTag() };
}

/** Decrypts ciphertext | tag (16). Returns no plaintext before the tag is verified. Throws like `open`. */
export function openWithNonce(key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  const textBytes = sealed.length - TAG_BYTES;
  if (textBytes < 0) throw new UnknownFormat();
  const decipher = createDecipheriv(GCM_ALGORITHM, cipherKey(key), assertNonce(nonce), GCM_OPTIONS).setAAD(
    aad,
  );
  decipher.setAuthTag(sealed.subarray(textBytes));
  // `final` returns no plaintext; it verifies the tag.
  const plaintext = decipher.update(sealed.subarray(0, textBytes));
  try {
    decipher.final();
    return plaintext;
  } catch {
    plaintext.fill(0);
    throw new Tampered();
  }
}

/**
 * The key of one cipher. Node 24 finds out by two exceptions that a Buffer is no KeyObject, which takes twice as long as the encryption
 * of a KiB. The copy lives as long as the key schedule in the cipher, which cannot be wiped either.
 */
export function cipherKey(key: Buffer): KeyObject {
  return createSecretKey(key);
}

function assertNonce(nonce: Buffer): Buffer {
  if (nonce.length !== NONCE_BYTES) throw new UnknownFormat();
  return nonce;
}
