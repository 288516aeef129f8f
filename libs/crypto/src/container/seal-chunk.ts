import { type CipherGCM, randomFillSync } from 'node:crypto';
import type { Transform } from 'node:stream';
import { WrongChunkLength } from '../errors.js';
import { type ChunkRow, newChunkRow, SALT_BYTES } from './chunk-row.js';
import type { FileVersion } from './file-version.js';
import { GatheringTransform } from './gathering-transform.js';
import { SegmentCiphers } from './segment-ciphers.js';

/** One attempt at storing a chunk. */
export interface SealedChunk {
  /** What to keep beside the bytes once they are stored. It is known before the first of them. */
  readonly row: ChunkRow;
  /**
   * Plaintext in, `sealedChunkBytes` out. It fails with `WrongChunkLength` when the input is not exactly the chunk:
   * discard what came out. It wipes its key when it ends, fails or is destroyed.
   */
  readonly stream: Transform;
}

/**
 * Seals one chunk of a file while it passes; about 64 KiB are held at a time. Every attempt draws a salt and so a key
 * of its own: an attempt that dies half way may be repeated with other bytes, and no nonce is ever used twice.
 * `fileKey` (32 bytes) stays the caller's, and may be wiped as soon as this returns. Throws RangeError for a chunk
 * that the file does not have.
 */
export function sealChunk(fileKey: Buffer, file: FileVersion, chunk: number): SealedChunk {
  return sealChunkWithSalt(fileKey, file, chunk, randomFillSync(Buffer.alloc(SALT_BYTES)));
}

/** For the tests of the format alone: a salt used twice would be a nonce used twice. */
export function sealChunkWithSalt(
  fileKey: Buffer,
  file: FileVersion,
  chunk: number,
  salt: Buffer,
): SealedChunk {
  const { row, key } = newChunkRow(fileKey, file, chunk, salt);
  return { row, stream: new ChunkSealer(new SegmentCiphers(key, file, chunk)) };
}

/** Ciphertext leaves as it is made, piece by piece, and each segment's tag behind it: nothing is copied together. */
export class ChunkSealer extends GatheringTransform {
  readonly #ciphers: SegmentCiphers;
  #segment = 0;
  #leftBytes: number;
  #cipher: CipherGCM;

  constructor(ciphers: SegmentCiphers) {
    super();
    this.#ciphers = ciphers;
    this.#openSegment();
  }

  protected override takePiece(bytes: Buffer): void {
    for (let offset = 0; offset < bytes.length;) {
      if (this.#segment === this.#ciphers.count) throw new WrongChunkLength();
      const piece = bytes.subarray(offset, offset + this.#leftBytes);
      this.push(this.#cipher.update(piece));
      offset += piece.length;
      this.#leftBytes -= piece.length;
      if (this.#leftBytes === 0) this.#closeSegment();
    }
  }

  protected override assertWhole(): void {
    if (this.#segment < this.#ciphers.count) throw new WrongChunkLength();
  }

  protected override wipe(): void {
    this.#ciphers.wipe();
  }

  #openSegment(): void {
    this.#cipher = this.#ciphers.sealer(this.#segment);
    this.#leftBytes = this.#ciphers.bytesOf(this.#segment);
  }

  #closeSegment(): void {
    this.#cipher.final(); // GCM holds nothing back: this gives no bytes, it makes the tag.
    this.push(this.#cipher.getAuthTag());
    this.#segment += 1;
    if (this.#segment < this.#ciphers.count) this.#openSegment();
  }
}
