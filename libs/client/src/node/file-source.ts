import { open, stat, type FileHandle } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { delay } from '../delay.js';
import { SourceError } from '../transfer/source-error.js';
import { modificationTime, type UploadSource } from '../transfer/upload-source.js';
import { WallClock } from './wall-clock.js';

const READ_BYTES = 262_144;
/** The clock of a kernel that stamps files moves in steps of up to 10 ms; that of some file systems in steps of 2 s. */
const FINE_STEP_MS = 20;
const COARSE_STEP_MS = 2_100;

/** What shows that a file was written to: each write sets `ctime`, which no program can set back. */
interface FileState {
  readonly size: bigint;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A file of the disk, which `upload` opens once and reads chunk by chunk. */
export async function fileSource(path: string): Promise<UploadSource> {
  const { size, mtimeMs } = await stat(path);
  const file = new SourceFile(resolve(path), size);
  return {
    size,
    // Its times are not part of it: a resumed upload compares the bytes.
    fingerprint: `file ${resolve(path)}`,
    name: basename(path),
    modifiedAt: modificationTime(mtimeMs),
    slice: (start, end) => file.slice(start, end),
    isUnchanged: () => file.isUnchanged(),
    close: () => file.close(),
  };
}

/** Opens the file at the first read, and holds it open. */
class SourceFile {
  #opened: Promise<FileHandle> | undefined;
  #before: FileState | undefined;
  #isSettled = false;
  #clock = new WallClock();

  constructor(
    private readonly path: string,
    private readonly size: number,
  ) {}

  async slice(start: number, end: number): Promise<AsyncIterable<Uint8Array>> {
    return read(await (this.#opened ??= this.#open()), start, end);
  }

  /**
   * Whether the file was certainly not written to since it was opened. A clock that was set back might repeat a time of the
   * file, so then the bytes decide.
   * @throws SourceError if it has another size by now, or another file has its name
   */
  async isUnchanged(): Promise<boolean> {
    const { path } = this;
    const handle = await this.#opened;
    const before = this.#before;
    if (!handle || !before) return false;
    const now = await handle.stat({ bigint: true });
    const named = await stat(path, { bigint: true }).catch(() => undefined);
    if (now.size !== before.size || named?.ino !== before.ino || named.dev !== before.dev)
      throw SourceError.changed();
    const isTouched = now.mtimeNs !== before.mtimeNs || now.ctimeNs !== before.ctimeNs;
    return this.#isSettled && !isTouched && !this.#clock.wasSetBack();
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    const handle = await opened?.catch(() => undefined);
    await handle?.close();
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.path, 'r');
    try {
      this.#clock = new WallClock();
      await settle(handle);
      this.#before = await handle.stat({ bigint: true });
      this.#isSettled = leftMs(this.#before) === 0;
      if (Number(this.#before.size) !== this.size) throw SourceError.changed();
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  }
}

/** A write in the same step of the clock as an earlier one leaves no trace, so that this step has to be over first. */
async function settle(handle: FileHandle): Promise<void> {
  const left = leftMs(await handle.stat({ bigint: true }));
  if (left <= COARSE_STEP_MS) await delay(left);
}

/** What is left of the step in which the file was written; more for a time that is still to come. */
function leftMs({ ctimeNs }: FileState): number {
  const step = ctimeNs % 1_000_000_000n === 0n ? COARSE_STEP_MS : FINE_STEP_MS;
  return Math.max(0, Number(ctimeNs / 1_000_000n) + step - Date.now());
}

async function* read(
  handle: FileHandle,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = start; at < end;) {
    const length = Math.min(READ_BYTES, end - at);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
