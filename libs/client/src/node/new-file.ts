import { lstat } from 'node:fs/promises';
import { alreadyExists, cannotWrite, FileError } from './file-error.js';
import { PartFile } from './part-file.js';
import type { ProcessLock } from './process-lock.js';
import { canonicalPath, lockTarget, stateFolder } from './state-folder.js';

/** Room that is taken by writing, not only looked up: a quota is no figure of the disk. */
const WRITTEN_BYTES_MAX = 1_048_576;

/** @throws FileError if something exists at the path: a symbolic link counts, too, even if its target is missing */
export async function assertFree(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw cannotWrite(path, error);
  });
  if (found) throw alreadyExists(path);
}

/**
 * A file that is written under a name of its own beside its target, with access for its owner only, and gets its name when it
 * is complete. It never replaces a file. Everything that can be checked is checked when it is created, before something that
 * works once is used up.
 */
export class NewFile {
  private constructor(
    readonly path: string,
    private readonly part: PartFile,
    private readonly lock: ProcessLock | undefined,
  ) {}

  /**
   * @param bytesMax the size, or the largest possible one
   * @param folder of states, where processes lock what they write
   * @throws FileError if the target exists or is being written, its folder is missing or cannot be written to, or there is no room
   */
  static async create(path: string, bytesMax = 0, folder: string = stateFolder()): Promise<NewFile> {
    await assertFree(path);
    const lock = await lockIfPossible(folder, path);
    try {
      const part = await PartFile.create(path);
      const file = new NewFile(path, part, lock);
      await takeRoom(part, bytesMax).catch(async (error: unknown) => {
        await part.discard();
        throw error;
      });
      return file;
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  /** Writes the whole content, and gives the file its name. */
  async complete(
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      let size = 0;
      for await (const piece of content) {
        signal?.throwIfAborted();
        await this.part.write(piece, size);
        size += piece.length;
      }
      await this.part.truncate(size);
    } catch (error) {
      await this.discard();
      throw error;
    }
    try {
      await this.part.publish();
    } finally {
      await this.lock?.release();
    }
  }

  /** Removes the file, unless its content is complete. */
  async discard(): Promise<void> {
    await this.part.discard();
    await this.lock?.release();
  }
}

async function takeRoom(part: PartFile, bytes: number): Promise<void> {
  await part.assertRoom(bytes);
  if (bytes <= WRITTEN_BYTES_MAX) await part.write(new Uint8Array(bytes), 0);
}

/** Without a folder of states, two processes write parts of their own, and the later one keeps its part. */
async function lockIfPossible(folder: string, path: string): Promise<ProcessLock | undefined> {
  const target = await canonicalPath(path);
  return lockTarget(folder, target).catch((error: unknown) => {
    if (error instanceof FileError) throw error;
    return undefined;
  });
}
