import { type CipherGCM, createCipheriv, createDecipheriv, type DecipherGCM } from 'node:crypto';
import { NONCE_BYTES, TAG_BYTES } from '../aead/gcm.js';
import type { FileVersion } from './file-version.js';
import {
  chunkBytes,
  chunkCount,
  CHUNKS_MAX,
  segmentBytes,
  segmentCount,
  SEGMENTS_PER_CHUNK,
} from './layout.js';

const ALGORITHM = 'aes-256-gcm';
// Without it Node accepts a tag cut to 4 bytes, which is guessed in 2^32 tries.
const OPTIONS = { authTagLength: TAG_BYTES } as const;
const SEGMENT_OFFSET = 7;
const LAST_OFFSET = 11;

/**
 * The ciphers of a chunk's segments, after STREAM (Hoang, Reyhanitabar, Rogaway, Vizár 2015): the nonce is 7 zero
 * bytes, the segment's number (4, big-endian) and a flag that only the file's very last segment has. So a segment
 * opens in its own place alone. Holds the chunk's key, and wipes it.
 */
export class SegmentCiphers {
  readonly count: number;
  readonly #key: Buffer;
  readonly #bytes: number;
  readonly #isLastChunk: boolean;

  /** Takes the key over: `wipe` fills it with 0. */
  constructor(key: Buffer, file: FileVersion, chunk: number) {
    // Tink 1.0 to 1.3 let its segment counter overflow: the bound is asserted, the type is not trusted with it.
    if (!(chunk >= 0 && chunk < CHUNKS_MAX)) throw new RangeError(`A file has ${CHUNKS_MAX} chunks at most`);
    this.#key = key;
    this.#bytes = chunkBytes(file.bytes, chunk);
    this.count = segmentCount(this.#bytes);
    this.#isLastChunk = chunk === chunkCount(file.bytes) - 1;
  }

  /** The plaintext bytes of a segment. */
  bytesOf(segment: number): number {
    return segmentBytes(this.#bytes, segment);
  }

  sealer(segment: number): CipherGCM {
    return createCipheriv(ALGORITHM, this.#key, this.#nonce(segment), OPTIONS);
  }

  opener(segment: number): DecipherGCM {
    return createDecipheriv(ALGORITHM, this.#key, this.#nonce(segment), OPTIONS);
  }

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
