import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { until } from '@vaultsvc/testing/waiting';
import { DiskObjects, Unavailable } from './index.js';
import { buildPutProgram, runPutProgram, startPutProgram, startPausedPuts } from './testing/put-process.js';

let tools: string;
let program: string;
let dir: string;
let objects: DiskObjects;
const put = (key: string, bytes: Buffer) =>
  objects.put(key, Readable.from([bytes], { objectMode: false }), bytes.length);
const files = async () => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

beforeAll(async () => {
  tools = await mkdtemp(join(tmpdir(), 'vaultsvc-put-'));
  program = await buildPutProgram(tools);
});
afterAll(() => rm(tools, { recursive: true }));
beforeEach(async () => {
  dir = join(await mkdtemp(join(tools, 'disk-')), 'objects');
  objects = new DiskObjects({ dir });
  await objects.open();
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('a temporary file of a killed process', () => {
  it('is never visible, and is removed at the next start', async () => {
    const before = randomBytes(1_000);
    await put('v1/old/0', before);
    const keys = ['v1/old/0', 'v1/new/0', 'v1/new/1'];
    const child = await startPausedPuts(program, {
      disk: { dir },
      keys,
      bytes: 20_000_000,
      stopAfter: 10_000_000,
    });
    await until(async () => (await files()).length === 4);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await files()).filter((name) => name.endsWith('.part'))).toHaveLength(3);
    expect((await objects.list({ prefix: '' })).objects).toMatchObject([{ key: 'v1/old/0', bytes: 1_000 }]);
    expect(await objects.find('v1/new/0')).toBeNull();
    expect((await buffer(await objects.read('v1/old/0'))).equals(before)).toBe(true);

    const next = new DiskObjects({ dir });
    await next.open();
    expect(await files()).toEqual(['0.bin']);
    await next.put('v1/new/0', Readable.from([before]), 1_000);
    expect(await next.find('v1/new/0')).toMatchObject({ bytes: 1_000 });
  });

  it('is all that it leaves besides complete objects, at any moment of a hundred puts', async () => {
    const bytes = 2_000_000;
    const keys = Array.from({ length: 100 }, (_, i) => `v1/${i % 10}/${i}`);
    const isStored = (name: string) => name.endsWith('.bin');
    for (const stored of [1, 10, 50]) {
      const child = startPutProgram(program, { disk: { dir }, keys, bytes });
      const ended = once(child, 'exit');
      await until(async () => (await files()).filter(isStored).length >= stored);
      child.kill('SIGKILL');
      await ended;
      const seen = (await objects.list({ prefix: 'v1/' })).objects;
      expect(seen.length).toBeGreaterThanOrEqual(stored);
      for (const object of seen) expect(object.bytes).toBe(bytes);
      await new DiskObjects({ dir }).open();
      expect((await files()).every(isStored)).toBe(true);
      await objects.deleteMany(keys);
      expect(await readdir(dir)).toEqual([]);
    }
  });

  it('is distinguished from those of running processes', async () => {
    const content = new Readable({ read() {} });
    const putting = objects.put('v1/mine/0', content, 2);
    const child = await startPausedPuts(program, {
      disk: { dir },
      keys: ['v1/other/0'],
      bytes: 2,
      stopAfter: 1,
    });
    await until(async () => (await files()).length === 2);
    await new DiskObjects({ dir }).open();
    expect(await files()).toHaveLength(2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await new DiskObjects({ dir }).open();
    expect(await files()).toHaveLength(1);
    content.push('ab');
    content.push(null);
    await putting;
    expect(await files()).toEqual(['0.bin']);
  });

  it('is recognized by its boot id or its age when its process id was reused', async () => {
    const mine = `0.bin.${process.pid}-${'0'.repeat(12)}-${'0'.repeat(16)}.part`;
    const [young, old] = ['1', '2'].map(
      (name) => `${name}.bin.${process.ppid}-${'0'.repeat(12)}-${'0'.repeat(16)}.part`,
    );
    for (const name of [mine, young!, old!, 'not-ours.part', 'notes.txt'])
      await writeFile(join(dir, name), 'x');
    const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
    await utimes(join(dir, old!), twoDaysAgo, twoDaysAgo);
    await objects.open();
    expect((await files()).sort()).toEqual([young, 'not-ours.part', 'notes.txt'].sort());
    expect(await objects.list({ prefix: '' })).toEqual({ objects: [], next: null });
  });
});

describe('concurrent creation and removal of folders', () => {
  /** Puts and deletes the only object of a folder repeatedly. */
  async function churn(name: string, rounds: number): Promise<void> {
    const other = new DiskObjects({ dir, fsync: false });
    for (let round = 0; round < rounds; round += 1) {
      await other.put(`v1/${name}/0`, Readable.from(['x']), 1);
      await other.delete(`v1/${name}/0`);
    }
  }

  it('does not fail puts', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, i) => churn(String(i), 200)));
    expect(await readdir(dir)).toEqual([]);
  });

  it('does not fail the start of a process', async () => {
    const churning = Promise.all([churn('a', 200), churn('b', 200)]);
    for (let start = 0; start < 200; start += 1) await objects.open();
    await churning;
  });
});

describe('the folder of a disk store', () => {
  it('is accessible only to its owner', async () => {
    await put('v1/a/0', randomBytes(10));
    const modes = await Promise.all(
      ['', 'v1', 'v1/a', 'v1/a/0.bin'].map(async (path) => (await stat(join(dir, path))).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  it('is kept, but empty folders in it are removed', async () => {
    await Promise.all([put('v1/a/0', randomBytes(10)), put('v1/b/0', randomBytes(10))]);
    await objects.delete('v1/a/0');
    expect(await readdir(join(dir, 'v1'))).toEqual(['b']);
    await expect(objects.put('v2/c/0', Readable.from(['x']), 2)).rejects.toThrow();
    await objects.deleteMany(['v1/b/0', 'v1/b/1']);
    expect(await readdir(dir)).toEqual([]);
  });

  it('is created with its parents', async () => {
    const deep = new DiskObjects({ dir: join(dir, 'x/y'), fsync: false });
    await deep.open();
    await deep.put('k', Readable.from(['abc']), 3);
    expect(await readFile(join(dir, 'x/y/k.bin'), 'utf8')).toBe('abc');
  });

  it('gives Unavailable from every operation when it was replaced by a file', async () => {
    await rm(dir, { recursive: true });
    await writeFile(dir, 'a file in its place');
    for (const attempt of [
      () => put('a/b', randomBytes(1)),
      () => objects.read('a/b'),
      () => objects.find('a/b'),
      () => objects.list({ prefix: '' }),
      () => objects.delete('a/b'),
      () => objects.open(),
    ])
      await expect(attempt()).rejects.toThrow(Unavailable);
  });

  it('gives Unavailable from every operation when it is missing, and never NotFound', async () => {
    await rm(dir, { recursive: true });
    for (const attempt of [
      () => objects.check(),
      () => put('a/b', randomBytes(1)),
      () => objects.read('a/b'),
      () => objects.find('a/b'),
      () => objects.delete('a/b'),
      () => objects.list({ prefix: '' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ name: 'Unavailable', reason: 'ENOENT' });
  });
});

describe('DiskObjects', () => {
  it('throws Unavailable when the disk is full, stores nothing, and keeps earlier objects', async () => {
    await put('v1/a/0', randomBytes(50_000));
    const task = { disk: { dir }, keys: ['v1/a/0', 'v1/b/0'], bytes: 5_000_000 };
    // The file size limit of the system fails a write in the middle, as a full disk does.
    const { results } = await runPutProgram(program, task, 1_000_000);
    expect(results).toEqual(['Unavailable EFBIG', 'Unavailable EFBIG']);
    expect(await files()).toEqual(['0.bin']);
    expect(await objects.find('v1/a/0')).toMatchObject({ bytes: 50_000 });
  });

  it('fails the stream of a file that is truncated while it is read', async () => {
    await put('k', randomBytes(2_000_000));
    const stream = await objects.read('k');
    await truncate(join(dir, 'k.bin'), 1_000_000);
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'WrongLength', expected: 2_000_000 });
  });

  it('reads an object to its end when it is replaced or deleted meanwhile', async () => {
    const bytes = randomBytes(2_000_000);
    await put('k', bytes);
    const streams = [await objects.read('k'), await objects.read('k', { start: 1, end: 2_000_000 })];
    await put('k', randomBytes(10));
    await objects.delete('k');
    expect((await buffer(streams[0]!)).equals(bytes)).toBe(true);
    expect((await buffer(streams[1]!)).equals(bytes.subarray(1))).toBe(true);
  });

  it('throws errors without keys or paths', async () => {
    await mkdir(join(dir, 'secret-key.bin'), { mode: 0o700 });
    await chmod(dir, 0o700);
    const error = await put('secret-key', randomBytes(1)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Unavailable);
    expect(String(error)).toBe('Unavailable: The object store is unavailable: EISDIR');
    expect((error as Unavailable).cause).toMatchObject({ code: 'EISDIR' });
  });
});
