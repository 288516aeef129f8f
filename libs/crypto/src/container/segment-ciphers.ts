import { type CipherGCM, createCipheriv, createDecipheriv, type DecipherGCM } from 'node:crypto';
import { cipherKey, GCM_ALGORITHM, GCM_OPTIONS, NONCE_BYTES } from '../aead/gcm.js';
import type { FileVersion } from './file-key.js';
import {
  chunkBytes,
  chunkCount,
  CHUNKS_MAX,
  segmentBytes,
  segmentCount,
  SEGMENTS_PER_CHUNK,
} from './layout.js';

const SEGMENT_OFFSET = 7;
const LAST_OFFSET = 11;

/**
 * The ciphers of the segments of a chunk, after STREAM (Hoang, Reyhanitabar, Rogaway, Vizár 2015). A nonce is 7 zero bytes,
 * the index of the segment (4 bytes, big-endian) and a flag that is 1 for the last segment of the file only. Reordered,
 * repeated, dropped and truncated segments therefore fail authentication. The nonces never repeat under one key, because
 * every attempt at a chunk has a key of its own.
 */
export class SegmentCiphers {
  /** Segments of the chunk. */
  readonly count: number;
  readonly #key: Buffer;
  readonly #bytes: number;
  readonly #isLastChunk: boolean;

  /** The instance owns `key` from now on. Throws RangeError if the file has no such chunk. */
  constructor(key: Buffer, file: FileVersion, chunk: number) {
    // The segment counter of Tink 1.0 to 1.3 could overflow, so the bounds are checked and not left to the type.
    if (!(chunk >= 0 && chunk < CHUNKS_MAX)) throw new RangeError(`A file has at most ${CHUNKS_MAX} chunks`);
    this.#key = key;
    this.#bytes = chunkBytes(file.bytes, chunk);
    this.count = segmentCount(this.#bytes);
    this.#isLastChunk = chunk === chunkCount(file.bytes) - 1;
  }

  /** Plaintext bytes of a segment. */
  bytesOf(segment: number): number {
    return segmentBytes(this.#bytes, segment);
  }

  /** The cipher that encrypts a segment. Throws RangeError if the chunk has no such segment. */
  sealer(segment: number): CipherGCM {
    return createCipheriv(GCM_ALGORITHM, cipherKey(this.#key), this.#nonce(segment), GCM_OPTIONS);
  }

  /** The cipher that decrypts a segment. Throws RangeError if the chunk has no such segment. */
  opener(segment: number): DecipherGCM {
    return createDecipheriv(GCM_ALGORITHM, cipherKey(this.#key), this.#nonce(segment), GCM_OPTIONS);
  }

  /** Fills the key with zeros. */
  wipe(): void {
    this.#key.fill(0);
  }

  #nonce(segment: number): Buffer {
    if (!(segment >= 0 && segment < Math.min(this.count, SEGMENTS_PER_CHUNK))) {
      throw new RangeError(`This chunk has no segment ${segment}`);
    }
    const nonce = Buffer.alloc(NONCE_BYTES);
    nonce.writeUInt32BE(segment, SEGMENT_OFFSET);
    nonce.writeUInt8(this.#isLastChunk && segment === this.count - 1 ? 1 : 0, LAST_OFFSET);
    return nonce;
  }
}
