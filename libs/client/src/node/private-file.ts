import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A JSON file that only its user can read (mode 0600), in a folder that only its user can enter. */
export class PrivateFile<T> {
  constructor(readonly path: string) {}

  /** Undefined without a file. */
  async read(): Promise<T | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  /**
   * Replaces the file by a rename, so that a crash leaves the old content or the new one. On a full disk, what exists is
   * overwritten in place.
   */
  async write(content: T): Promise<void> {
    try {
      await this.#replace(JSON.stringify(content));
    } catch (error) {
      if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await this.#overwrite(JSON.stringify(content));
    }
  }

  async #replace(text: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.${randomBytes(6).toString('hex')}.new`;
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Takes room, in which a later `write` finds place on a full disk. Until then the file cannot be read. */
  async reserve(bytes: number): Promise<void> {
    await this.#replace(' '.repeat(bytes));
  }

  /** A short text needs no more room than its file has. */
  async #overwrite(text: string): Promise<void> {
    const file = await open(this.path, 'r+');
    try {
      const { bytesWritten } = await file.write(text, 0);
      await file.truncate(bytesWritten);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
