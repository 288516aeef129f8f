import { open, type FileHandle } from 'node:fs/promises';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { freeMemory } from '@vaultsvc/crypto/memory';
import { NotFound, toInterrupted, toUnavailable, WrongLength } from './errors.js';
import { withExactLength } from './exact-length-transform.js';
import { isMissing } from './folders.js';
import type { ByteRange, PutOptions } from './objects.js';

const READ_STEP_BYTES = 512 * 1_024;
/** A write is passed to a thread of libuv and back, so chunks are gathered for larger ones. */
const WRITE_STEP_BYTES = 256 * 1_024;
/** Small chunks are written earlier, because each one occupies an object besides its bytes. */
const WRITE_STEP_CHUNKS = 256;
/** Further chunks that wait while one step is written and the next one is complete. */
const WAITING_BYTES = 64 * 1_024;
/** The file is synced in steps of this size while more is received, so that the final sync is short. */
const SYNC_STEP_BYTES = 8 * 1_024 * 1_024;

type Done = (error?: Error | null) => void;

interface WriteOptions extends PutOptions {
  readonly bytes: number;
  /** Whether the file is durable when it is complete. */
  readonly fsync: boolean;
}

/**
 * Writes exactly `bytes` bytes to a file and leaves it open. Node's stream of a FileHandle closes it, and cannot sync the
 * last bytes to the disk. One step is written while the next one is gathered.
 */
class FileWritable extends Writable {
  readonly #handle: FileHandle;
  readonly #bytes: number;
  readonly #fsync: boolean;
  readonly #ownsContent: boolean;
  #receivedBytes = 0;
  #writtenBytes = 0;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #unsyncedBytes = 0;
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;

  constructor(handle: FileHandle, { bytes, fsync, ownsContent = false }: WriteOptions) {
    super({ highWaterMark: WAITING_BYTES });
    this.#handle = handle;
    this.#bytes = bytes;
    this.#fsync = fsync;
    this.#ownsContent = ownsContent;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > this.#bytes) return done(this.#wrongLength());
    this.#gatheredBytes += chunk.length;
    const isComplete =
      this.#gathered.push(chunk) === WRITE_STEP_CHUNKS || this.#gatheredBytes >= WRITE_STEP_BYTES;
    if (isComplete) finish(this.#startWrite(), done);
    else done();
  }

  override _final(done: Done): void {
    finish(this.#complete(), done);
  }

  /** The system reports a sync error once, so that an error of an earlier step must fail the file too. */
  async #complete(): Promise<void> {
    if (this.#receivedBytes !== this.#bytes) throw this.#wrongLength();
    await this.#startWrite();
    await this.#writing;
    await this.#syncing;
    // A chunk that was freed before it was written is empty.
    if (this.#writtenBytes !== this.#bytes) throw new WrongLength(this.#bytes, this.#writtenBytes);
    if (this.#fsync) await this.#handle.sync();
  }

  /** Waits for the previous step, and starts to write the gathered one. */
  async #startWrite(): Promise<void> {
    await this.#writing;
    this.#writing = this.#writeAll(this.#gathered);
    this.#writing.catch(() => undefined); // the next step and #complete await it
    [this.#gathered, this.#gatheredBytes] = [[], 0];
  }

  /** Near a size limit a write is partial, and the next one fails. */
  async #writeAll(chunks: readonly Buffer[]): Promise<void> {
    for (let left = chunks; left.length > 0;) {
      const { bytesWritten } = await this.#handle.writev(left);
      this.#writtenBytes += bytesWritten;
      this.#syncAhead(bytesWritten);
      left = withoutFirst(left, bytesWritten);
    }
    if (this.#ownsContent) for (const chunk of chunks) freeMemory(chunk);
  }

  /** Syncs concurrently with writes, one step at a time, and never again after a failed one. */
  #syncAhead(bytes: number): void {
    this.#unsyncedBytes += bytes;
    if (!this.#fsync || this.#syncing || this.#unsyncedBytes < SYNC_STEP_BYTES) return;
    this.#unsyncedBytes = 0;
    this.#syncing = this.#handle.datasync().then(() => (this.#syncing = undefined));
    this.#syncing.catch(() => undefined); // #complete awaits it
  }

  #wrongLength(): WrongLength {
    return new WrongLength(this.#bytes, this.#receivedBytes);
  }
}

/** The chunks without their first `bytes` bytes. */
function withoutFirst(chunks: readonly Buffer[], bytes: number): Buffer[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const dropped = Math.min(left, chunk.length);
    left -= dropped;
    return dropped < chunk.length ? [chunk.subarray(dropped)] : [];
  });
}

function finish(work: Promise<void>, done: Done): void {
  work.then(
    () => done(),
    (error: unknown) => done(toUnavailable('put', error)),
  );
}

/**
 * Writes a content of exactly `bytes` bytes, with `fsync` durably. Throws an ObjectsError, after which the file is
 * incomplete. Closes the file.
 */
export async function writeFile(handle: FileHandle, content: Readable, options: WriteOptions): Promise<void> {
  try {
    await pipeline(content, new FileWritable(handle, options));
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
