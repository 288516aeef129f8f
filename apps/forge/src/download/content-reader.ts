import { pipeline, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FileVersion, openChunkRange, slicesOf } from '@vaultsvc/crypto/container';
import { Objects } from '@vaultsvc/objects';
import { ChunkRepository, type StoredSlice } from './chunk.repository.js';

/** Of a chunk so much is left when the next one is opened: a store may take a while to send the first byte. */
const READ_AHEAD_BYTES = 8 * 1_024 * 1_024;

interface OpenedSlice {
  readonly bytes: number;
  readonly text: Readable;
}

/** Reads and opens what uploads have stored. */
@Injectable()
export class ContentReader {
  constructor(
    private readonly rows: ChunkRepository,
    private readonly objects: Objects,
  ) {}

  /**
   * The plaintext of `bytes` bytes from `offset` on, a segment at a time, none of it before it is verified. It ends there
   * or throws: `WrongKey`, `Tampered` or `UnknownFormat` when what is stored is not what was, an `ObjectsError` of the
   * store. Whoever stops early frees what is behind it. `fileKey` is taken over, and filled with 0 at the end.
   */
  async *read(
    file: FileVersion,
    fileKey: Buffer,
    { offset, bytes }: { offset: number; bytes: number },
  ): AsyncGenerator<Buffer, void> {
    let ahead: Promise<OpenedSlice | undefined> | undefined;
    try {
      const slices = this.rows.findSlices(file.versionId, slicesOf(file.bytes, offset, bytes));
      const openNext = () => this.#openNext(file, fileKey, slices);
      for (let slice = await openNext(); slice; slice = await (ahead ?? openNext())) {
        ahead = undefined;
        let left = slice.bytes;
        for await (const text of slice.text as AsyncIterable<Buffer>) {
          left -= text.length;
          if (left < READ_AHEAD_BYTES) ahead ??= quietly(openNext());
          yield text;
        }
      }
    } finally {
      const unread = await ahead?.catch(() => undefined);
      unread?.text.destroy();
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
    const opener = openChunkRange(fileKey, file, row, slice);
    const { storedOffset: start, storedBytes } = slice;
    const stored = await this.objects.read(objectKey, { start, end: start + storedBytes }).catch((error) => {
      opener.destroy();
      throw error;
    });
    return { bytes: slice.bytes, text: joined(stored, opener) };
  }
}

/** An error of either shows on the opener; whoever destroys it frees the store's stream. */
function joined(stored: Readable, opener: NodeJS.ReadWriteStream & Readable): Readable {
  return pipeline(stored, opener, () => undefined) as unknown as Readable;
}

/** It is awaited later; until then its failure is nobody's. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
