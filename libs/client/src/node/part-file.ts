import { randomBytes } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cannotWrite, FileError } from './file-error.js';
import { giveName } from './give-name.js';

const READ_BYTES = 262_144;
const ACCESS = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

/** A part by which a later run finds it. */
export interface PartName {
  readonly path: string;
  /** Device and inode: another file under this path is not ours. Undefined before the part was created. */
  readonly id?: string;
}

/**
 * Content that is not complete, beside its target, with access for its owner only. Its name is random, so that it is nobody
 * else's, and short, so that it exists for targets with the longest names. It gets the name of the target at the end.
 */
export class PartFile {
  #isOpen = true;

  private constructor(
    readonly path: string,
    readonly id: string,
    /** What the part becomes. */
    readonly target: string,
    private readonly handle: FileHandle,
  ) {}

  /** A path for a new part of the target. */
  static pathFor(target: string): string {
    return join(dirname(target), `.vaultsvc-${randomBytes(8).toString('hex')}.part`);
  }

  /** @throws FileError */
  static async create(target: string, path: string = PartFile.pathFor(target)): Promise<PartFile> {
    const flags = ACCESS | constants.O_CREAT | constants.O_EXCL;
    try {
      const handle = await open(path, flags, 0o600);
      return new PartFile(path, idOf(await handle.stat({ bigint: true })), target, handle);
    } catch (error) {
      throw cannotWrite(target, error);
    }
  }

  /** The part that an earlier run left; undefined if it is gone, or another file has its name. */
  static async reopen(target: string, { path, id }: PartName): Promise<PartFile | undefined> {
    if (dirname(path) !== dirname(target) || !(await isPart({ path, id }))) return undefined;
    const handle = await open(path, ACCESS).catch(() => undefined);
    if (!handle) return undefined;
    const found = idOf(await handle.stat({ bigint: true }));
    if (found === id) return new PartFile(path, found, target, handle);
    await handle.close();
    return undefined;
  }

  /** Deletes the part of an earlier run, if it is that. */
  static async remove(name: PartName): Promise<void> {
    if (await isPart(name)) await unlink(name.path).catch(() => undefined);
  }

  async size(): Promise<number> {
    return (await this.handle.stat()).size;
  }

  /** @throws FileError if the disk has no room for so many bytes more */
  async assertRoom(bytes: number): Promise<void> {
    const folder = dirname(this.target);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free < bytes) {
      const message = `There is no room for ${bytes} bytes in ${folder}: ${free} are free.`;
      throw new FileError('NO_ROOM', this.target, message);
    }
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    try {
      for (let written = 0; written < bytes.length;) {
        const left = bytes.length - written;
        written += (await this.handle.write(bytes, written, left, position + written)).bytesWritten;
      }
    } catch (error) {
      throw cannotWrite(this.target, error);
    }
  }

  /** The first bytes, as far as there are so many. */
  async *read(bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; at < bytes;) {
      const length = Math.min(READ_BYTES, bytes - at);
      const { bytesRead, buffer } = await this.handle.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async truncate(size: number): Promise<void> {
    await this.handle.truncate(size);
  }

  async sync(): Promise<void> {
    await this.handle.sync().catch((error: unknown) => {
      throw cannotWrite(this.target, error);
    });
  }

  /**
   * Gives the complete content its time and its name.
   * @param modifiedAt seconds since the epoch; without it the file keeps the time of its last byte
   * @throws FileError if the name is taken by now; the content stays in the part
   */
  async publish(modifiedAt?: number | null): Promise<void> {
    // A file system that stores no such time has the content nevertheless.
    if (typeof modifiedAt === 'number')
      await this.handle.utimes(new Date(), new Date(modifiedAt * 1_000)).catch(() => undefined);
    await this.sync();
    if (!(await isPart(this)))
      throw new FileError(
        'UNWRITABLE',
        this.target,
        `${this.path} was removed or replaced by another program.`,
      );
    try {
      await giveName(this);
    } finally {
      await this.close();
    }
  }

  /** Deletes the part. */
  async discard(): Promise<void> {
    if (!this.#isOpen) return;
    await this.close();
    await PartFile.remove(this);
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.handle.close();
  }
}

/** Device and inode of a file. */
export function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Whether the file of this name is a part that this user made: of a name without an id, any that was begun. */
async function isPart({ path, id }: PartName): Promise<boolean> {
  const file = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!file?.isFile()) return false;
  const isOwn = process.getuid === undefined || file.uid === BigInt(process.getuid());
  return isOwn && (id === undefined || idOf(file) === id);
}
