import { open, type FileHandle } from 'node:fs/promises';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { NotFound, toInterrupted, toUnavailable } from './errors.js';
import { ExactLengthTransform, withExactLength } from './exact-length-transform.js';
import { isMissing } from './folders.js';
import type { ByteRange } from './objects.js';

const READ_STEP_BYTES = 512 * 1_024;
/** Chunks that are buffered during a write are written together, however small they are. */
const WRITE_AHEAD_BYTES = 256 * 1_024;
/** The file is synced in steps of this size while more is received, so that the final sync is short. */
const SYNC_STEP_BYTES = 8 * 1_024 * 1_024;

type Done = (error?: Error | null) => void;

/**
 * Writes to a file and leaves it open. Node's stream of a FileHandle closes it, and cannot sync the last bytes to the
 * disk.
 */
class FileWritable extends Writable {
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

  /** The system reports a sync error once, so that an error of an earlier step must fail the file too. */
  async #syncAll(): Promise<void> {
    await this.#syncing;
    await this.handle.sync();
  }

  /** Syncs concurrently with writes, one step at a time, and never again after a failed one. */
  #syncAhead(bytes: number): void {
    this.#unsyncedBytes += bytes;
    if (!this.fsync || this.#syncing || this.#unsyncedBytes < SYNC_STEP_BYTES) return;
    this.#unsyncedBytes = 0;
    this.#syncing = this.handle.datasync().then(() => (this.#syncing = undefined));
    this.#syncing.catch(() => undefined); // #syncAll awaits it
  }

  /** Near a size limit a write is partial, and the next one fails. */
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
      (error: unknown) => done(toUnavailable('put', error)),
    );
  }
}

/** Writes the whole content, with `fsync` durably. Throws an ObjectsError. Closes the file. */
export async function writeFile(
  handle: FileHandle,
  content: Readable,
  { bytes, fsync }: { bytes: number; fsync: boolean },
): Promise<void> {
  try {
    await pipeline(content, new ExactLengthTransform(bytes), new FileWritable(handle, fsync));
  } catch (error) {
    throw toInterrupted(error);
  } finally {
    await handle.close(); // Waits for a pending write.
  }
}

/** A stream of a range of the file. Closes the file at its end, on an error, and when the stream is destroyed. */
export function readFile(handle: FileHandle, { start, end }: ByteRange): Readable {
  const file = handle.createReadStream({ start, end: end - 1, highWaterMark: READ_STEP_BYTES });
  return withExactLength(end - start, file);
}

/** Opens a file for reading. Throws NotFound, or the error of the system. */
export async function openFile(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: unknown) => {
    throw isMissing(error) ? new NotFound() : error;
  });
}
