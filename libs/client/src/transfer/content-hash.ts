import { CHUNK_BYTES } from './chunk-size.js';
import { hexOf, sha256, sha256Of, type Sha256 } from './sha256.js';

/** What the first chunks of a content were: their number, and a hash that binds each of them and their order. */
export interface ChunkMark {
  readonly chunks: number;
  readonly hash: string;
}

/** The mark of no chunk. */
export const NO_CHUNKS: ChunkMark = { chunks: 0, hash: '' };

/** The mark with one more chunk. */
export async function markAfter({ chunks, hash }: ChunkMark, chunkHash: Uint8Array): Promise<ChunkMark> {
  const next = await sha256Of(new TextEncoder().encode(hash), chunkHash);
  return { chunks: chunks + 1, hash: hexOf(next) };
}

/** The hash of a content by those of its chunks: of one chunk its own, of several that over theirs. */
export async function hashOverChunks(hashes: readonly Uint8Array[]): Promise<string> {
  const [first] = hashes;
  return hexOf(hashes.length === 1 && first ? first : await sha256Of(...hashes));
}

/** The hash of a version's content, and the marks of its chunks, while the bytes stream. */
export class ContentHash {
  readonly #hashes: Uint8Array[] = [];
  #chunk: Sha256 = sha256();
  #inChunk = 0;
  #mark = NO_CHUNKS;

  /** The mark of the complete chunks. */
  get mark(): ChunkMark {
    return this.#mark;
  }

  async update(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - this.#inChunk);
      this.#chunk.update(part);
      at += part.length;
      this.#inChunk += part.length;
      if (this.#inChunk === CHUNK_BYTES) await this.#endChunk();
    }
  }

  /** 64 lowercase hexadecimal digits, as `content_hash` of the API. Nothing can be added afterwards. */
  async digest(): Promise<string> {
    if (this.#inChunk > 0) await this.#endChunk();
    return hashOverChunks(this.#hashes);
  }

  async #endChunk(): Promise<void> {
    const hash = await this.#chunk.digest();
    this.#hashes.push(hash);
    this.#mark = await markAfter(this.#mark, hash);
    this.#chunk = sha256();
    this.#inChunk = 0;
  }
}
