import { randomBytes } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { link, open, rename, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError } from '../failures.js';
import { bytesText } from '../terminal/progress-bar.js';
import { writeAll } from './write-all.js';

/** Room that is taken by writing, not only looked up: a quota is no figure of the disk. */
const WRITTEN_BYTES_MAX = 1_048_576;

/** The path of a file that is to be written. @throws CliError if something exists there */
export function newFilePath(name: string, out: string | undefined): string {
  const path = out === undefined ? safePath(name) : resolve(out);
  assertFree(path);
  return path;
}

/** The path for a file whose name comes from others: it must not leave the folder. */
function safePath(name: string): string {
  // Names of ingots may contain slashes.
  const base = basename(name.replaceAll('\\', '/'));
  if (base === '' || base === '.' || base === '..' || /\p{Cc}/u.test(base))
    throw new CliError('The file has a name that cannot be used here. Choose one with --out.');
  return resolve(base);
}

/** A symbolic link counts too, even if its target is missing. */
function assertFree(path: string): void {
  let isTaken: boolean;
  try {
    isTaken = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw cannotWrite(path, error);
  }
  if (isTaken) throw alreadyExists(path);
}

/**
 * A file that is written under a name of its own beside its target, with access for its owner only, and gets its name when it
 * is complete. It never replaces a file. Everything that can be checked is checked when it is created, before something that
 * works once is used up.
 */
export class NewFile {
  #isOpen = true;

  private constructor(
    readonly path: string,
    private readonly temporary: string,
    private readonly handle: FileHandle,
  ) {}

  /**
   * @param bytesMax the size, or the largest possible one
   * @throws CliError if the target exists, its folder is missing or cannot be written to, or there is no room
   */
  static async create(path: string, bytesMax = 0): Promise<NewFile> {
    assertFree(path);
    const temporary = join(dirname(path), `.vaultsvc-${randomBytes(8).toString('hex')}.part`);
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
    const handle = await open(temporary, flags, 0o600).catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
    const file = new NewFile(path, temporary, handle);
    try {
      await file.#reserve(bytesMax);
      return file;
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  /** Writes the whole content, and gives the file its name. */
  async complete(
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      const size = await writeAll(this.handle, content, { signal });
      await this.handle.truncate(size);
      await this.handle.sync();
      await this.#close();
    } catch (error) {
      await this.discard();
      throw error;
    }
    await this.#publish();
  }

  /** Removes the file, unless its content is complete. */
  async discard(): Promise<void> {
    if (!this.#isOpen) return;
    await this.#close();
    await unlink(this.temporary).catch(() => undefined);
  }

  async #reserve(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(this.path));
    if (bavail * bsize < bytes)
      throw new CliError(
        `--out: there is no room for ${bytesText(bytes)} in ${dirname(this.path)}: ${bytesText(bavail * bsize)} are free.`,
      );
    if (bytes > WRITTEN_BYTES_MAX) return;
    await this.handle.write(Buffer.alloc(bytes), 0, bytes, 0).catch((error: unknown) => {
      throw cannotWrite(this.path, error);
    });
  }

  async #publish(): Promise<void> {
    try {
      await link(this.temporary, this.path).catch((error: unknown) => this.#moveWithoutLinks(error));
    } catch (error) {
      // The content may exist nowhere else.
      const why = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'exists by now' : 'cannot be created';
      throw new CliError(`${this.path} ${why}. The content is in ${this.temporary}.`, undefined, {
        cause: error,
      });
    }
    await unlink(this.temporary).catch(() => undefined);
  }

  /** A file system without hard links: the name is taken by an empty file first, which is then replaced. */
  async #moveWithoutLinks(error: unknown): Promise<void> {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    await (await open(this.path, 'wx', 0o600)).close();
    await rename(this.temporary, this.path);
  }

  async #close(): Promise<void> {
    this.#isOpen = false;
    await this.handle.close();
  }
}

function alreadyExists(path: string): CliError {
  return new CliError(`${path} exists already. Choose another name with --out.`);
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is no folder',
  EACCES: 'you may not write to its folder',
  EPERM: 'you may not write to its folder',
  EROFS: 'its folder cannot be written to',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota of the disk is used up',
  ENAMETOOLONG: 'the name is too long',
};

function cannotWrite(path: string, error: unknown): CliError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new CliError(`--out: ${path} cannot be written: ${causes[code] ?? message}.`, undefined, {
    cause: error,
  });
}
