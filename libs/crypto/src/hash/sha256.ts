import { hash } from 'node:crypto';

/** The length of a SHA-256 hash. */
export const HASH_BYTES = 32;

/** SHA-256 (FIPS 180-4): 32 bytes. The hash of a guessable value without a salt reveals the value. */
export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}
