import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Transform } from 'node:stream';

const ALGORITHM = 'aes-256-ctr';
const BLOCK_BYTES = 16;

/**
 * Encrypts one temporary file with a key that exists in this object only, and decrypts it from any byte on. CTR mode, because
 * parts are read in any order; it hides the content from those who read the disk later. It does not authenticate: the file must
 * be out of reach of others while it is used.
 */
export class SpoolCipher {
  readonly #key = randomBytes(32);
  #isUsed = false;

  /** Encrypts the whole content. The key stream begins at 0, so that a second content would reveal both. */
  encryption(): Transform {
    if (this.#isUsed) throw new Error('A spool cipher encrypts one content');
    this.#isUsed = true;
    return createCipheriv(ALGORITHM, this.#key, counterAt(0));
  }

  /** Returns a function that decrypts successive parts, the first of which begins at this byte. */
  decryptionFrom(start: number): (part: Uint8Array) => Buffer {
    const decipher = createDecipheriv(ALGORITHM, this.#key, counterAt(Math.floor(start / BLOCK_BYTES)));
    // The key stream begins at a block: what precedes the byte in it is skipped.
    decipher.update(Buffer.alloc(start % BLOCK_BYTES));
    return (part) => decipher.update(part);
  }

  /** Erases the key. */
  destroy(): void {
    this.#key.fill(0);
  }
}

/** The counter block of a block (NIST SP 800-38A, 6.5). */
function counterAt(block: number): Buffer {
  return Buffer.from(block.toString(16).padStart(2 * BLOCK_BYTES, '0'), 'hex');
}
