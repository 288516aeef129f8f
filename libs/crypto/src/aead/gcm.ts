import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import { Tampered, UnknownFormat } from '../errors.js';

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
// Without it Node accepts a tag cut to 4 bytes, which is guessed in 2^32 tries.
const OPTIONS = { authTagLength: TAG_BYTES } as const;

/**
 * AES-256-GCM with a fresh random nonce: nonce (12) | ciphertext | tag (16).
 *
 * Random nonces are safe for 2^32 messages of one key (NIST SP 800-38D, 8.3): derive a key per message where there may
 * be more, as `sealContent` does. `aad` is authenticated and not stored.
 */
export function seal(key: Buffer, aad: Buffer, plaintext: Buffer): Buffer {
  const nonce = randomFillSync(Buffer.alloc(NONCE_BYTES));
  return Buffer.concat([nonce, sealWithNonce(key, nonce, aad, plaintext)]);
}

/** Opens what `seal` made. Throws `Tampered`, or `UnknownFormat` for fewer than 28 bytes. */
export function open(key: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  return openWithNonce(key, sealed.subarray(0, NONCE_BYTES), aad, sealed.subarray(NONCE_BYTES));
}

/** As `seal`, under a nonce of the caller's, without it in the result. Never use a nonce twice under one key. */
export function sealWithNonce(key: Buffer, nonce: Buffer, aad: Buffer, plaintext: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, assertNonce(nonce), OPTIONS).setAAD(aad);
  // GCM is a stream cipher: `update` gives all of the text, `final` nothing more.
  const text = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([text, cipher.getAuthTag()]);
}

/** Opens ciphertext | tag (16). No plaintext leaves before the tag is checked. Throws as `open` does. */
export function openWithNonce(key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer {
  const textBytes = sealed.length - TAG_BYTES;
  if (textBytes < 0) throw new UnknownFormat();
  const decipher = createDecipheriv(ALGORITHM, key, assertNonce(nonce), OPTIONS).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(textBytes));
  // `final` gives no more text, only the verdict on it.
  const plaintext = decipher.update(sealed.subarray(0, textBytes));
  try {
    decipher.final();
    return plaintext;
  } catch {
    plaintext.fill(0);
    throw new Tampered();
  }
}

function assertNonce(nonce: Buffer): Buffer {
  if (nonce.length !== NONCE_BYTES) throw new UnknownFormat();
  return nonce;
}
