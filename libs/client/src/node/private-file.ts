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

  /** Replaces the file by a rename, so that a crash leaves the old content or the new one. */
  async write(content: T): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.${process.pid}.new`;
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(content));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
