import { CHUNK_BYTES } from './chunk-size.js';
import { hashOverChunks, markAfter, NO_CHUNKS, type ChunkMark } from './content-hash.js';
import { sha256 } from './sha256.js';
import { SourceError } from './source-error.js';
import { bytesOf, type UploadSource } from './upload-source.js';

/** Callbacks of a `ChunkedSource`. */
export interface ChunkEvents {
  /** Keeps the mark of the chunks that are sent, before the last byte of the latest can arrive at Forge. */
  readonly onSent: (mark: ChunkMark) => Promise<void>;
  /** How far a comparison with what was sent is. */
  readonly onCompared?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * The chunks of a source, with the hash of each that was sent. Forge completes an upload with its last byte, and then it
 * replaces the former content. So this byte is held back until the whole source is known to be what was sent.
 */
export class ChunkedSource {
  readonly #hashes: Uint8Array[] = [];
  #marks = [NO_CHUNKS];
  #isStopped = false;

  constructor(
    private readonly source: UploadSource,
    private readonly events: ChunkEvents,
  ) {}

  /** A chunk that is no longer sent reads and keeps nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The hash of everything that was sent, as the vault computes it. */
  contentHash(): Promise<string> {
    return hashOverChunks(this.#hashes);
  }

  /** Whether the source begins with the chunks that an earlier run sent; reads them again. */
  async beginsWith(sent: ChunkMark): Promise<boolean> {
    for (let index = 0; index < sent.chunks; index++) {
      if (index * CHUNK_BYTES >= this.source.size) return false;
      await this.#add(await this.#read(index));
    }
    return this.#marks.at(-1)?.hash === sent.hash;
  }

  /** Whether the hashes of all chunks before this byte are known. */
  knowsUpTo(byte: number): boolean {
    return byte % CHUNK_BYTES === 0 && byte <= this.#hashes.length * CHUNK_BYTES;
  }

  /** A chunk, piece by piece. @throws SourceError if it is not what the source announced or what was sent before */
  async *chunk(start: number): AsyncGenerator<Uint8Array, void, undefined> {
    const index = start / CHUNK_BYTES;
    const hash = sha256();
    let held: Uint8Array | undefined;
    for await (const piece of this.#pieces(index)) {
      hash.update(piece);
      if (held) yield held;
      held = piece;
    }
    await this.#keep(index, await hash.digest());
    if (held) yield held;
  }

  /** A chunk that is sent again, because its response was lost, may have arrived nevertheless. */
  async #keep(index: number, hash: Uint8Array): Promise<void> {
    const known = this.#hashes[index];
    if (known && !isEqual(known, hash)) throw SourceError.changed();
    if (!known) await this.#add(hash);
    if ((index + 1) * CHUNK_BYTES >= this.source.size) await this.#assertUnchanged();
    if (this.#isStopped) throw new SourceError('The upload has ended.');
    await this.events.onSent(this.#marks[index + 1] ?? NO_CHUNKS);
  }

  async #assertUnchanged(): Promise<void> {
    if (await this.source.isUnchanged?.()) return;
    for (const [index, hash] of this.#hashes.entries())
      if (!isEqual(hash, await this.#read(index))) throw SourceError.changed();
  }

  async #add(hash: Uint8Array): Promise<void> {
    this.#hashes.push(hash);
    this.#marks.push(await markAfter(this.#marks.at(-1) ?? NO_CHUNKS, hash));
  }

  async #read(index: number): Promise<Uint8Array> {
    const hash = sha256();
    let bytes = index * CHUNK_BYTES;
    for await (const piece of this.#pieces(index)) {
      this.events.signal?.throwIfAborted();
      hash.update(piece);
      this.events.onCompared?.((bytes += piece.length));
    }
    return hash.digest();
  }

  async *#pieces(index: number): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#isStopped) throw new SourceError('The upload has ended.');
    const start = index * CHUNK_BYTES;
    const length = Math.min(CHUNK_BYTES, this.source.size - start);
    let bytes = 0;
    try {
      for await (const piece of bytesOf(await this.source.slice(start, start + length))) {
        bytes += piece.length;
        if (bytes > length) break;
        yield piece;
      }
    } catch (error) {
      throw SourceError.of(error);
    }
    if (bytes === length) return;
    const what = bytes > length ? 'more' : 'fewer';
    const message = `The source gives ${what} bytes than the ${this.source.size} that it announced.`;
    throw new SourceError(message, undefined, true);
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
