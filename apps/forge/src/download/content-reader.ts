import { pipeline, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FileVersion, openChunkRange, slicesOf } from '@vaultsvc/crypto/container';
import { Objects } from '@vaultsvc/objects';
import { ChunkRepository, type StoredSlice } from './chunk.repository.js';

/** The next chunk is opened when this much of the current one is left, because a store may be slow to first byte. */
const READ_AHEAD_BYTES = 8 * 1_024 * 1_024;
/** The memory of a batch is bounded, however much a store delivers at once: 512 KiB, as much as a disk. */
const BATCH_SEGMENTS = 8;

interface OpenedSlice {
  readonly bytes: number;
  readonly plaintext: Readable;
}

/** Reads and decrypts stored content. */
@Injectable()
export class ContentReader {
  constructor(
    private readonly chunks: ChunkRepository,
    private readonly objects: Objects,
  ) {}

  /**
   * Yields the plaintext of `bytes` bytes from `offset` on, as segments that were each verified before they are yielded.
   * Throws `WrongKey`, `Tampered` or `UnknownFormat` when the stored content was changed, and the `ObjectsError` of the
   * store. A consumer that stops early must call `return`, which frees the streams. Owns `fileKey`, and fills it with 0.
   */
  async *read(
    file: FileVersion,
    fileKey: Buffer,
    { offset, bytes }: { offset: number; bytes: number },
  ): AsyncGenerator<Buffer[], void> {
    let ahead: Promise<OpenedSlice | undefined> | undefined;
    try {
      const slices = this.chunks.findSlices(file.versionId, slicesOf(file.bytes, offset, bytes));
      const openNext = () => this.#openNext(file, fileKey, slices);
      for (let slice = await openNext(); slice; slice = await (ahead ?? openNext())) {
        ahead = undefined;
        let left = slice.bytes;
        for await (const first of slice.plaintext as AsyncIterable<Buffer>) {
          const segments = [first, ...waitingIn(slice.plaintext)];
          left -= lengthOf(segments);
          if (left < READ_AHEAD_BYTES) ahead ??= awaitedLater(openNext());
          yield segments;
        }
      }
    } finally {
      const unread = await ahead?.catch(() => undefined);
      unread?.plaintext.destroy();
      fileKey.fill(0);
    }
  }

  async #openNext(
    file: FileVersion,
    fileKey: Buffer,
    slices: AsyncGenerator<StoredSlice, void>,
  ): Promise<OpenedSlice | undefined> {
    const next = await slices.next();
    if (next.done) return undefined;
    const { slice, row, objectKey } = next.value;
    const opener = openChunkRange(fileKey, file, row, slice, { ownsInput: true });
    const { storedOffset: start, storedBytes } = slice;
    const stored = await this.objects.read(objectKey, { start, end: start + storedBytes }).catch((error) => {
      opener.destroy();
      throw error;
    });
    return { bytes: slice.bytes, plaintext: pipeThrough(stored, opener) };
  }
}

/** The segments that are decrypted already, as a rule all of one read of the store. */
function* waitingIn(plaintext: Readable): Generator<Buffer> {
  for (let count = 1; count < BATCH_SEGMENTS; count += 1) {
    const segment = plaintext.read() as Buffer | null;
    if (!segment) return;
    yield segment;
  }
}

function lengthOf(segments: readonly Buffer[]): number {
  return segments.reduce((sum, { length }) => sum + length, 0);
}

/** Errors of both streams appear on the opener; destroying it destroys the stream of the store. */
function pipeThrough(stored: Readable, opener: NodeJS.ReadWriteStream & Readable): Readable {
  return pipeline(stored, opener, () => undefined) as unknown as Readable;
}

/** Keeps a failure from being an unhandled rejection before the promise is awaited. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
