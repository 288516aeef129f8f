import { Logger } from '@nestjs/common';
import { access, constants, mkdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { writeFile, openFile, readFile } from './disk-file.js';
import { createTemporaryFile, removeStaleFiles } from './temporary-file.js';
import { NotFound, toUnavailable, WrongLength } from './errors.js';
import { isMissing, keysIn, OBJECT_SUFFIX, removeEmptyFolders, syncFolders } from './folders.js';
import { assertBytes, assertKey, assertPrefix, assertRange, isKey, pageSize } from './validation.js';
import {
  Objects,
  type ByteRange,
  type ListRequest,
  type ObjectPage,
  type PutOptions,
  type StoredObject,
} from './objects.js';

/** Settings of a store on a local disk. */
export interface DiskSettings {
  /** The folder of the store, which processes of one machine may share; `open` creates it. */
  readonly dir: string;
  /** Whether a stored object survives a power failure; without it puts are faster. True by default. */
  readonly fsync?: boolean;
}

const CALLS_MAX = 16;

/**
 * Stores objects as files of one folder, with a folder per part of the key. Only the user of the process may read them. A
 * content is written to a temporary file, which is renamed when it is complete and synced.
 */
export class DiskObjects extends Objects {
  readonly #root: string;
  readonly #fsync: boolean;
  readonly #logger = new Logger('objects');

  constructor({ dir, fsync = true }: DiskSettings) {
    super();
    this.#root = resolve(dir);
    this.#fsync = fsync;
  }

  async open(): Promise<void> {
    await attempt('open', async () => {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      const stale = await removeStaleFiles(this.#root);
      if (stale > 0) this.#logger.log({ msg: 'removed unfinished objects', count: stale });
    });
  }

  close(): void {}

  async check(): Promise<void> {
    const { R_OK, W_OK, X_OK } = constants;
    await attempt('check', () => access(this.#root, R_OK | W_OK | X_OK));
  }

  async put(key: string, content: Readable, bytes: number, options?: PutOptions): Promise<void> {
    content.on('error', ignore); // It may fail before it is read; reading throws the error.
    try {
      assertKey(key);
      assertBytes(bytes);
      await attempt('put', () => this.#write(this.#pathOf(key), content, bytes, options));
    } finally {
      content.destroy();
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    if (range) assertRange(range);
    const handle = await attempt('read', () => this.#openFile(key));
    try {
      const { size } = await attempt('read', () => handle.stat());
      const { start, end } = range ?? { start: 0, end: size };
      if (end > size) throw new WrongLength(end, size);
      return readFile(handle, { start, end });
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async find(key: string): Promise<StoredObject | null> {
    assertKey(key);
    return attempt('find', () => this.#describe(key));
  }

  delete(key: string): Promise<void> {
    return this.deleteMany([key]);
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    keys.forEach(assertKey);
    const paths = keys.map((key) => this.#pathOf(key));
    await attempt('delete', async () => {
      await this.#assertFolder();
      await mapInChunks(paths, (path) => unlink(path).catch(ignoreMissing));
      for (const folder of new Set(paths.map(dirname))) await this.#tidy(folder);
    });
  }

  async list({ prefix, after = '', limit }: ListRequest): Promise<ObjectPage> {
    assertPrefix(prefix);
    const size = pageSize(limit);
    return attempt('list', async () => {
      await this.#assertFolder();
      const keys: string[] = [];
      for await (const key of keysIn(this.#root, { prefix, after })) {
        if (isKey(key) && keys.push(key) > size) break;
      }
      const page = keys.slice(0, size);
      const found = await mapInChunks(page, (key) => this.#describe(key));
      const objects = found.filter((object) => object !== null);
      return { objects, next: keys.length > size ? (page.at(-1) ?? null) : null };
    });
  }

  #pathOf(key: string): string {
    return join(this.#root, key + OBJECT_SUFFIX);
  }

  async #openFile(key: string): Promise<FileHandle> {
    try {
      return await openFile(this.#pathOf(key));
    } catch (error) {
      if (error instanceof NotFound) await this.#assertFolder();
      throw error;
    }
  }

  /** Without its folder, perhaps an unmounted disk, the store cannot report that an object is missing or deleted. */
  async #assertFolder(): Promise<void> {
    await access(this.#root);
  }

  async #write(path: string, content: Readable, bytes: number, options?: PutOptions): Promise<void> {
    await this.#assertFolder();
    const temporary = await createTemporaryFile(path);
    try {
      await writeFile(temporary.handle, content, { bytes, fsync: this.#fsync, ...options });
      await rename(temporary.path, path);
      if (this.#fsync) await syncFolders(dirname(path), this.#root);
    } catch (error) {
      await unlink(temporary.path).catch(ignoreMissing);
      await removeEmptyFolders(dirname(path), this.#root);
      throw error;
    }
  }

  /** Makes deletions durable: a deleted object must not reappear after a power failure. */
  async #tidy(folder: string): Promise<void> {
    if (this.#fsync) await syncFolders(folder, this.#root);
    await removeEmptyFolders(folder, this.#root);
  }

  async #describe(key: string): Promise<StoredObject | null> {
    const stats = await stat(this.#pathOf(key)).catch(ignoreMissing);
    if (!stats) {
      await this.#assertFolder();
      return null;
    }
    return { key, bytes: stats.size, modifiedAt: new Date(Math.floor(stats.mtimeMs / 1_000) * 1_000) };
  }
}

async function attempt<T>(operation: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw toUnavailable(operation, error);
  });
}

async function mapInChunks<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += CALLS_MAX)
    results.push(...(await Promise.all(items.slice(from, from + CALLS_MAX).map(work))));
  return results;
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function ignore(): void {}
