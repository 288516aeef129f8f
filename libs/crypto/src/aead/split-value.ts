import { UnknownFormat } from '../errors.js';
import {
  AFTER_SALT_BYTES,
  openAfterSalt,
  randomParts,
  SALT_BYTES,
  sealAfter,
  type SealContext,
} from './derived-seal.js';

/** A value sealed under a secret and a half of its own: without either, nothing opens it. */
export interface SplitValue {
  /** Header 5 | salt 32. Its deletion destroys the value. */
  readonly half: Buffer;
  /** Commitment 32 | nonce 12 | ciphertext | tag 16. */
  readonly sealed: Buffer;
}

// "VS", version 1, suite 1 (HKDF-SHA-256, AES-256-GCM, 32-byte commitment), reserved 0.
const HEADER = Buffer.from([0x56, 0x53, 1, 1, 0]);
const HALF_BYTES = HEADER.length + SALT_BYTES;

/**
 * Seals a value so that it can be destroyed in two places: by deletion of the secret, or of the half. Its key is HKDF over both.
 * HMAC-SHA-256 is a pseudorandom function in either input ("When Messages Are Keys", Backendal et al. 2023), so the key stays
 * unknown to whoever has one of them and lacks 256 random bits of the other. Costs one HKDF and one GCM; a value under a key of
 * its own, which the secret wraps, costs two of each.
 */
export function sealSplit(secret: Buffer, context: SealContext, plaintext: Buffer): SplitValue {
  const random = randomParts();
  return {
    half: Buffer.concat([HEADER, random.salt]),
    sealed: sealAfter([], secret, random, context, plaintext),
  };
}

/**
 * Opens the output of `sealSplit`. The caller wipes the plaintext.
 * @throws WrongKey for another secret, half, label or other ids
 * @throws Tampered for changed bytes or other attributes
 * @throws UnknownFormat for any other input
 */
export function openSplit(secret: Buffer, context: SealContext, { half, sealed }: SplitValue): Buffer {
  if (!isSplitHalf(half) || half.length !== HALF_BYTES) throw new UnknownFormat();
  if (sealed.length < AFTER_SALT_BYTES) throw new UnknownFormat();
  return openAfterSalt(secret, half.subarray(HEADER.length), context, sealed);
}

/** Whether bytes begin as the half of a split value does. */
export function isSplitHalf(bytes: Buffer): boolean {
  return bytes.subarray(0, HEADER.length).equals(HEADER);
}
