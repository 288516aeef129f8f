import { Logger } from '@nestjs/common';
import { access, constants, mkdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { fillFile, openFile, readFile } from './disk-file.js';
import { createDraft, removeLeftovers } from './draft.js';
import { NotFound, WrongLength } from './errors.js';
import { storeFailure } from './failures.js';
import { isMissing, keysIn, OBJECT_SUFFIX, removeEmptyFolders, syncFolders } from './folders.js';
import { assertBytes, assertKey, assertPrefix, assertRange, isKey, pageSize } from './key.js';
import { Objects, type ByteRange, type ListRequest, type ObjectPage, type StoredObject } from './objects.js';

export interface DiskSettings {
  /** The folder of the store; made when it is not there. For the processes of one machine. */
  readonly dir: string;
  /** Whether an object outlives a loss of power once it is put; without it puts are faster. True unless said. */
  readonly fsync?: boolean;
}

const CALLS_AT_ONCE = 16;

/**
 * Objects as files of one folder, a part of the key a folder. Nobody but the owner of the process may read them. An
 * object is written beside its place and moved there when it is whole and on the disk.
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
      const leftovers = await removeLeftovers(this.#root);
      if (leftovers > 0) this.#logger.log({ msg: 'removed unfinished objects', count: leftovers });
    });
  }

  close(): void {}

  async check(): Promise<void> {
    const { R_OK, W_OK, X_OK } = constants;
    await attempt('check', () => access(this.#root, R_OK | W_OK | X_OK));
  }

  async put(key: string, content: Readable, bytes: number): Promise<void> {
    content.on('error', ignore); // It may fail before anybody reads it; reading tells.
    try {
      assertKey(key);
      assertBytes(bytes);
      await attempt('put', () => this.#write(this.#pathOf(key), content, bytes));
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
      await this.#assertThere();
      await inSteps(paths, (path) => unlink(path).catch(ignoreMissing));
      for (const folder of new Set(paths.map(dirname))) await this.#tidy(folder);
    });
  }

  async list({ prefix, after = '', limit }: ListRequest): Promise<ObjectPage> {
    assertPrefix(prefix);
    const size = pageSize(limit);
    return attempt('list', async () => {
      await this.#assertThere();
      const keys: string[] = [];
      for await (const key of keysIn(this.#root, { prefix, after })) {
        if (isKey(key) && keys.push(key) > size) break;
      }
      const page = keys.slice(0, size);
      const found = await inSteps(page, (key) => this.#describe(key));
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
      if (error instanceof NotFound) await this.#assertThere();
      throw error;
    }
  }

  /** Without its folder, a disk that is not mounted perhaps, the store cannot say that an object is missing or gone. */
  async #assertThere(): Promise<void> {
    await access(this.#root);
  }

  async #write(path: string, content: Readable, bytes: number): Promise<void> {
    await this.#assertThere();
    const draft = await createDraft(path);
    try {
      await fillFile(draft.handle, content, { bytes, fsync: this.#fsync });
      await rename(draft.path, path);
      if (this.#fsync) await syncFolders(dirname(path), this.#root);
    } catch (error) {
      await unlink(draft.path).catch(ignoreMissing);
      await removeEmptyFolders(dirname(path), this.#root);
      throw error;
    }
  }

  /** Makes deletions durable: a reference that is gone must not find its object again after a loss of power. */
  async #tidy(folder: string): Promise<void> {
    if (this.#fsync) await syncFolders(folder, this.#root);
    await removeEmptyFolders(folder, this.#root);
  }

  async #describe(key: string): Promise<StoredObject | null> {
    const facts = await stat(this.#pathOf(key)).catch(ignoreMissing);
    if (!facts) {
      await this.#assertThere();
      return null;
    }
    return { key, bytes: facts.size, modifiedAt: new Date(Math.floor(facts.mtimeMs / 1_000) * 1_000) };
  }
}

async function attempt<T>(operation: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw storeFailure(operation, error);
  });
}

async function inSteps<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += CALLS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + CALLS_AT_ONCE).map(work))));
  return results;
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function ignore(): void {}
