import { open, type FileHandle } from 'node:fs/promises';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { NotFound } from './errors.js';
import { ExactLength } from './exact-length.js';
import { contentFailure, storeFailure } from './failures.js';
import { isMissing } from './folders.js';
import type { ByteRange } from './objects.js';
import { exactly } from './read-stream.js';

const READ_STEP_BYTES = 512 * 1_024;
/** What waits while bytes are being written goes into the file at once, however small its pieces are. */
const WRITE_AHEAD_BYTES = 256 * 1_024;
/** So much is given to the disk while more comes: whoever sends the last byte waits for little. */
const SYNC_STEP_BYTES = 8 * 1_024 * 1_024;

type Done = (error?: Error | null) => void;

/**
 * Writes to a file and leaves it open. Node's own stream of a FileHandle closes it, and cannot say whether the last
 * bytes have reached the disk.
 */
class FileSink extends Writable {
  #unsyncedBytes = 0;
  #syncing: Promise<void> | undefined;

  constructor(
    private readonly handle: FileHandle,
    private readonly fsync: boolean,
  ) {
    super({ highWaterMark: WRITE_AHEAD_BYTES });
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    this.#finish(this.#writeAll(chunk), done);
  }

  override _writev(pieces: readonly { chunk: Buffer }[], done: Done): void {
    this.#finish(this.#writeTogether(pieces.map(({ chunk }) => chunk)), done);
  }

  override _final(done: Done): void {
    this.#finish(this.fsync ? this.#syncAll() : Promise.resolve(), done);
  }

  /** An error that a disk has told once it does not tell again: that of a step before fails the file too. */
  async #syncAll(): Promise<void> {
    await this.#syncing;
    await this.handle.sync();
  }

  /** One step at a time, beside the writing. Once one has failed there is no other. */
  #syncAhead(bytes: number): void {
    this.#unsyncedBytes += bytes;
    if (!this.fsync || this.#syncing || this.#unsyncedBytes < SYNC_STEP_BYTES) return;
    this.#unsyncedBytes = 0;
    this.#syncing = this.handle.datasync().then(() => (this.#syncing = undefined));
    this.#syncing.catch(() => undefined); // it is awaited at the end
  }

  /** A file that is almost at a limit takes part of the bytes and fails with the next. */
  async #writeAll(chunk: Buffer): Promise<void> {
    for (let written = 0; written < chunk.length;)
      written += (await this.handle.write(chunk, written)).bytesWritten;
    this.#syncAhead(chunk.length);
  }

  async #writeTogether(chunks: Buffer[]): Promise<void> {
    let { bytesWritten } = await this.handle.writev(chunks);
    this.#syncAhead(bytesWritten);
    for (const chunk of chunks) {
      const written = Math.min(bytesWritten, chunk.length);
      bytesWritten -= written;
      if (written < chunk.length) await this.#writeAll(chunk.subarray(written));
    }
  }

  #finish(work: Promise<void>, done: Done): void {
    work.then(
      () => done(),
      (error: unknown) => done(storeFailure('put', error)),
    );
  }
}

/** Writes the content, whole, and with `fsync` durable, or throws one of our errors. Closes the file. */
export async function fillFile(
  handle: FileHandle,
  content: Readable,
  { bytes, fsync }: { bytes: number; fsync: boolean },
): Promise<void> {
  try {
    await pipeline(content, new ExactLength(bytes), new FileSink(handle, fsync));
  } catch (error) {
    throw contentFailure(error);
  } finally {
    await handle.close(); // Waits for a write that is under way.
  }
}

/** These bytes of a file, which is closed at their end, at an error, and when the stream is destroyed. */
export function readFile(handle: FileHandle, { start, end }: ByteRange): Readable {
  const file = handle.createReadStream({ start, end: end - 1, highWaterMark: READ_STEP_BYTES });
  return exactly(end - start, file);
}

/** Throws NotFound, or the system's error. */
export async function openFile(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: unknown) => {
    throw isMissing(error) ? new NotFound() : error;
  });
}
