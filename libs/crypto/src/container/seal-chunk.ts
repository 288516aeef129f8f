import { type CipherGCM, randomFillSync } from 'node:crypto';
import type { Transform } from 'node:stream';
import { WrongChunkLength } from '../errors.js';
import { type Checksum, ChunkHasher } from './chunk-hasher.js';
import { type ChunkRow, newChunkRow, SALT_BYTES } from './chunk-row.js';
import type { FileVersion } from './file-key.js';
import { CoalescingTransform, type InputOptions } from './coalescing-transform.js';
import { SegmentCiphers } from './segment-ciphers.js';

/** One attempt at a chunk. */
export interface SealedChunk {
  /** The row to store once the bytes are stored. It is available before the first byte. */
  readonly row: ChunkRow;
  /**
   * Encrypts the plaintext to `sealedChunkBytes`. It fails with `WrongChunkLength` if the input is not exactly the chunk,
   * and with `WrongChecksum` if it does not have the given checksum; the output must then be discarded. It wipes its key
   * when it ends, fails or is destroyed.
   */
  readonly stream: Transform;
  /** The SHA-256 of the plaintext, once the stream has ended: 32 bytes. */
  readonly hash: () => Buffer;
}

export interface SealOptions extends InputOptions {
  readonly checksum?: Checksum | undefined;
}

/**
 * Encrypts one chunk of a file as a stream with about 64 KiB in memory. A random salt gives every attempt a key of its own,
 * so an aborted attempt may be repeated with other bytes without repeating a nonce. `fileKey` (32 bytes) remains the
 * caller's and may be wiped after the call.
 * @throws RangeError if the file has no such chunk
 */
export function sealChunk(
  fileKey: Buffer,
  file: FileVersion,
  chunk: number,
  options: SealOptions = {},
): SealedChunk {
  return sealChunkWithSalt(fileKey, file, chunk, randomFillSync(Buffer.alloc(SALT_BYTES)), options);
}

/** For tests of the format only: a repeated salt repeats all nonces of the chunk under the same key. */
export function sealChunkWithSalt(
  fileKey: Buffer,
  file: FileVersion,
  chunk: number,
  salt: Buffer,
  { checksum, ...input }: SealOptions = {},
): SealedChunk {
  const { row, key } = newChunkRow(fileKey, file, chunk, salt);
  const hasher = new ChunkHasher(checksum);
  const stream = new ChunkSealer(new SegmentCiphers(key, file, chunk), hasher, input);
  return { row, stream, hash: () => hasher.digest };
}

/** Emits the ciphertext of each segment as it is produced, then the tag of the segment, without concatenating them. */
export class ChunkSealer extends CoalescingTransform {
  readonly #ciphers: SegmentCiphers;
  readonly #hasher: ChunkHasher;
  #segment = 0;
  #remainingBytes: number;
  #cipher: CipherGCM;

  constructor(ciphers: SegmentCiphers, hasher: ChunkHasher, input?: InputOptions) {
    super(input);
    this.#ciphers = ciphers;
    this.#hasher = hasher;
    this.#openSegment();
  }

  protected override process(bytes: Buffer): void {
    this.#hasher.update(bytes);
    for (let offset = 0; offset < bytes.length;) {
      if (this.#segment === this.#ciphers.count) throw new WrongChunkLength();
      const piece = bytes.subarray(offset, offset + this.#remainingBytes);
      this.push(this.#cipher.update(piece));
      offset += piece.length;
      this.#remainingBytes -= piece.length;
      if (this.#remainingBytes === 0) this.#closeSegment();
    }
  }

  protected override assertComplete(): void {
    if (this.#segment < this.#ciphers.count) throw new WrongChunkLength();
    this.#hasher.finish();
  }

  protected override wipe(): void {
    this.#ciphers.wipe();
  }

  #openSegment(): void {
    this.#cipher = this.#ciphers.sealer(this.#segment);
    this.#remainingBytes = this.#ciphers.bytesOf(this.#segment);
  }

  #closeSegment(): void {
    this.#cipher.final(); // Returns no bytes in a counter mode; it computes the tag.
    this.push(this.#cipher.getAuthTag());
    this.#segment += 1;
    if (this.#segment < this.#ciphers.count) this.#openSegment();
  }
}
