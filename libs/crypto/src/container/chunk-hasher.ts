import { createHash, type Hash, timingSafeEqual } from 'node:crypto';
import { WrongChecksum } from '../errors.js';

/** The checksum of a chunk that its sender announced. */
export interface Checksum {
  readonly algorithm: 'sha1' | 'sha256';
  /** 20 or 32 bytes. */
  readonly digest: Buffer;
}

/** Hashes the plaintext of a chunk while it is sealed, in the buffers in which it arrives. */
export class ChunkHasher {
  readonly #expected: Checksum | undefined;
  readonly #sha256 = createHash('sha256');
  /** Only if the sender announced one: SHA-256 is computed anyway. */
  readonly #sha1: Hash | undefined;
  #digest: Buffer | undefined;

  constructor(expected?: Checksum) {
    this.#expected = expected;
    this.#sha1 = expected?.algorithm === 'sha1' ? createHash('sha1') : undefined;
  }

  update(bytes: Buffer): void {
    this.#sha256.update(bytes);
    this.#sha1?.update(bytes);
  }

  /** @throws WrongChecksum if the sender announced another one */
  finish(): void {
    this.#digest = this.#sha256.digest();
    if (!this.#expected) return;
    const actual = this.#sha1?.digest() ?? this.#digest;
    const { digest } = this.#expected;
    if (actual.length !== digest.length || !timingSafeEqual(actual, digest)) throw new WrongChecksum();
  }

  /** The SHA-256 of the whole chunk: 32 bytes. */
  get digest(): Buffer {
    if (!this.#digest) throw new Error('the chunk is not complete');
    return this.#digest;
  }
}
