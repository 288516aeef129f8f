import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Secret } from '@vaultsvc/config';
import { until } from '@vaultsvc/testing/waiting';
import { DiskObjects, Interrupted, NotFound, S3Objects, WrongLength, type Objects } from './index.js';
import { buildPutProgram, runPutProgram } from './testing/put-process.js';
import type { PutTask } from './testing/put-program.js';
import { startS3 } from './testing/s3-server.ts';

interface Store {
  readonly objects: Objects;
  /** The address of the store for another process. */
  readonly place: Pick<PutTask, 'disk' | 's3'>;
  /** The number of objects that are open for reading. */
  readonly reading: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

async function diskStore(): Promise<Store> {
  const dir = await mkdtemp(join(tmpdir(), 'vaultsvc-objects-'));
  return {
    objects: new DiskObjects({ dir }),
    place: { disk: { dir } },
    reading: async () => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      return links.filter((link) => link.startsWith(dir)).length;
    },
    stop: () => rm(dir, { recursive: true }),
  };
}

async function s3Store(): Promise<Store> {
  const { reading, stop, ...place } = await startS3();
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: new Secret('S3RVER') };
  return {
    objects: new S3Objects({ ...place, credentials, pathStyle: true }),
    place: { s3: place },
    reading: async () => reading(),
    stop,
  };
}

const CHUNK_BYTES = 52_441_600;
let serial = 0;
const newKey = (prefix = 'v1') => `${prefix}/ver_${(serial += 1)}/0-${randomBytes(8).toString('hex')}`;
const streamOf = (bytes: Buffer, size = 65_552) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
    { objectMode: false },
  );

describe.each([
  { name: 'on a disk', start: diskStore },
  { name: 'in S3', start: s3Store },
])('Objects $name', ({ start }) => {
  let store: Store;
  let objects: Objects;
  const whole = async (key: string) => buffer(await objects.read(key));
  const put = (key: string, bytes: Buffer) => objects.put(key, streamOf(bytes), bytes.length);

  beforeAll(async () => {
    store = await start();
    objects = store.objects;
    await objects.open();
  });
  afterEach(() => until(async () => (await store.reading()) === 0));
  afterAll(async () => {
    objects.close();
    await store.stop();
  });

  it('passes its check', async () => {
    await objects.check();
  });

  it('returns contents unchanged, from one byte to a whole chunk', async () => {
    for (const size of [1, 65_535, 65_536, 65_537, CHUNK_BYTES]) {
      const key = newKey();
      const bytes = randomBytes(size);
      await put(key, bytes);
      expect((await whole(key)).equals(bytes)).toBe(true);
      expect(await objects.find(key)).toMatchObject({ key, bytes: size });
    }
  });

  it('accepts contents in chunks of any size', async () => {
    const bytes = randomBytes(5_000);
    for (const size of [1, 7, 5_000]) {
      const key = newKey();
      await objects.put(key, streamOf(bytes, size), bytes.length);
      expect((await whole(key)).equals(bytes)).toBe(true);
    }
  });

  it('reports the time of the put in whole seconds', async () => {
    const key = newKey();
    await put(key, randomBytes(1));
    const found = await objects.find(key);
    expect(Math.abs(Date.now() - Number(found?.modifiedAt))).toBeLessThan(30_000);
    expect(Number(found?.modifiedAt) % 1_000).toBe(0);
  });

  it('throws NotFound from read, and returns null from find, for a missing object', async () => {
    await expect(objects.read(newKey())).rejects.toThrow(NotFound);
    await expect(objects.read(newKey(), { start: 0, end: 1 })).rejects.toThrow(NotFound);
    expect(await objects.find(newKey())).toBeNull();
  });

  it.each([
    { what: 'too short', content: () => streamOf(Buffer.alloc(99_999)), error: WrongLength },
    { what: 'too long', content: () => streamOf(Buffer.alloc(100_001)), error: WrongLength },
    {
      what: 'one byte too long, in a late chunk',
      content: () => streamOf(Buffer.alloc(100_001), 100_000),
      error: WrongLength,
    },
    { what: 'empty', content: () => Readable.from([], { objectMode: false }), error: WrongLength },
    { what: 'broken', content: () => failing(new Error('broken')), error: Interrupted },
    { what: 'destroyed', content: () => failing(), error: Interrupted },
    {
      what: 'destroyed before the put',
      content: () => new Readable({ read() {} }).destroy(),
      error: Interrupted,
    },
    {
      what: 'broken before the put',
      content: () => Readable.from([]).destroy(new Error('early')),
      error: Interrupted,
    },
  ])('stores nothing of a content that is $what', async ({ content, error }) => {
    const key = newKey('left');
    const stream = content();
    await expect(objects.put(key, stream, 100_000)).rejects.toThrow(error);
    expect(stream.destroyed).toBe(true);
    expect(await objects.find(key)).toBeNull();
    expect(await objects.list({ prefix: 'left' })).toEqual({ objects: [], next: null });
  });

  it('keeps an object when a later content for its key fails', async () => {
    const key = newKey();
    const bytes = randomBytes(1_000);
    await put(key, bytes);
    await expect(objects.put(key, streamOf(randomBytes(2_000)), 3_000)).rejects.toThrow(WrongLength);
    expect((await whole(key)).equals(bytes)).toBe(true);
  });

  it('throws Interrupted with the error of the content as its cause', async () => {
    const cause = new Error('the client disconnected');
    await expect(objects.put(newKey(), failing(cause), 100_000)).rejects.toMatchObject({ cause });
  });

  it('hides an object until its content has ended', async () => {
    const key = newKey('whole');
    const content = new Readable({ read() {} });
    const putting = objects.put(key, content, 200_000);
    content.push(Buffer.alloc(100_000));
    await until(async () => content.readableLength === 0);
    expect(await objects.find(key)).toBeNull();
    await expect(objects.read(key)).rejects.toThrow(NotFound);
    expect((await objects.list({ prefix: 'whole' })).objects).toEqual([]);
    content.push(Buffer.alloc(100_000));
    // All bytes were sent, but one more may follow until the end.
    await until(async () => content.readableLength === 0);
    expect(await objects.find(key)).toBeNull();
    content.push(null);
    await putting;
    expect(await objects.find(key)).toMatchObject({ bytes: 200_000 });
  });

  it('hides an object while a surplus byte may follow', async () => {
    const key = newKey();
    const content = new Readable({ read() {} });
    const putting = objects.put(key, content, 100_000);
    const refused = expect(putting).rejects.toThrow(WrongLength);
    content.push(Buffer.alloc(50_000));
    content.push(Buffer.alloc(50_000));
    for (let i = 0; i < 50; i += 1) expect(await objects.find(key)).toBeNull();
    content.push('x');
    await refused;
    expect(await objects.find(key)).toBeNull();
  });

  it('reads 1,000 random ranges exactly', async () => {
    const key = newKey();
    const bytes = randomBytes(1_000_000);
    await put(key, bytes);
    for (let i = 0; i < 1_000; i += 1) {
      const from = randomInt(bytes.length);
      const end = from + 1 + randomInt(bytes.length - from);
      const range = { start: from, end: i % 2 ? end : Math.min(end, from + 1 + randomInt(1_000)) };
      const part = await buffer(await objects.read(key, range));
      expect(part.equals(bytes.subarray(range.start, range.end))).toBe(true);
    }
  });

  it('reads the first byte, the last byte and the whole as ranges', async () => {
    const key = newKey();
    const bytes = randomBytes(70_000);
    await put(key, bytes);
    for (const [from, end] of [
      [0, 1],
      [69_999, 70_000],
      [0, 70_000],
    ] as const)
      expect(
        (await buffer(await objects.read(key, { start: from, end }))).equals(bytes.subarray(from, end)),
      ).toBe(true);
  });

  it('throws WrongLength for a range that ends after the object', async () => {
    const key = newKey();
    await put(key, randomBytes(100));
    for (const range of [
      { start: 0, end: 101 },
      { start: 99, end: 101 },
      { start: 100, end: 101 },
      { start: 5_000, end: 6_000 },
    ])
      await expect(objects.read(key, range)).rejects.toMatchObject({
        name: 'WrongLength',
        expected: range.end,
        actual: 100,
      });
  });

  it('closes an object when its stream is destroyed', async () => {
    const key = newKey();
    await put(key, Buffer.alloc(CHUNK_BYTES));
    for (const error of [undefined, new Error('an error of the reader')]) {
      const stream = await objects.read(key);
      stream.on('error', () => {});
      await once(stream, 'readable');
      await until(async () => (await store.reading()) === 1);
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy(error);
      await closed;
      expect(stream.errored ?? undefined).toBe(error);
    }
  });

  it('deletes objects, one or many, idempotently', async () => {
    const keys = Array.from({ length: 40 }, () => newKey('deleted'));
    await Promise.all(keys.map((key) => put(key, randomBytes(10))));
    await objects.delete(keys[0]!);
    await objects.delete(keys[0]!);
    expect(await objects.find(keys[0]!)).toBeNull();
    expect((await objects.list({ prefix: 'deleted/' })).objects).toHaveLength(39);
    await objects.deleteMany([...keys, newKey('deleted')]);
    await objects.deleteMany(keys);
    await objects.deleteMany([]);
    expect((await objects.list({ prefix: 'deleted/' })).objects).toEqual([]);
  });

  it('stores objects while others of their folder are deleted', async () => {
    const bytes = randomBytes(10);
    for (let round = 0; round < 25; round += 1) {
      const [old, young] = [`near/${round}/a`, `near/${round}/b`] as const;
      await put(old, bytes);
      await Promise.all([objects.delete(old), put(young, bytes)]);
      expect((await whole(young)).equals(bytes)).toBe(true);
    }
  });

  it('lists objects page by page, in the order of their keys', async () => {
    const keys = ['a', 'a-b/c', 'a/0', 'a/b/c', 'a/b/d', 'a0', 'aa/x', 'b', 'A/x'].map(
      (key) => `list/${key}`,
    );
    await Promise.all(keys.map((key) => put(key, Buffer.from(key))));
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1));
    for (const limit of [1, 2, 4, 9, 1_000]) {
      const seen: string[] = [];
      let after: string | null = '';
      while (after !== null) {
        const page = await objects.list({ prefix: 'list/', after, limit });
        expect(page.objects.length).toBeLessThanOrEqual(limit);
        for (const { key, bytes } of page.objects) expect(bytes).toBe(key.length);
        seen.push(...page.objects.map(({ key }) => key));
        after = page.next;
      }
      expect(seen).toEqual(sorted);
    }
    const keysOf = async (prefix: string, after?: string) =>
      (await objects.list({ prefix, after })).objects.map(({ key }) => key);
    expect(await keysOf('list/a/b')).toEqual(['list/a/b/c', 'list/a/b/d']);
    expect(await keysOf('list/a', 'list/a/b/c')).toEqual(['list/a/b/d', 'list/a0', 'list/aa/x']);
    // The next page starts correctly even if the last object was deleted.
    expect(await keysOf('list/a', 'list/a/b/cc')).toEqual(['list/a/b/d', 'list/a0', 'list/aa/x']);
    expect(await keysOf('list/none/')).toEqual([]);
  });

  it('stores one of several concurrent contents for a key, never a mixture', async () => {
    const key = newKey();
    const contents = Array.from({ length: 4 }, (_, i) => Buffer.alloc(300_000 + i * 50_000, i + 1));
    const isOneOfThem = (bytes: Buffer) => contents.some((content) => content.equals(bytes));
    await put(key, contents[0]!);
    for (let round = 0; round < 10; round += 1) {
      const putting = Promise.all(contents.map((content) => put(key, content)));
      for (let i = 0; i < 5; i += 1) expect(isOneOfThem(await whole(key))).toBe(true);
      await putting;
      expect(isOneOfThem(await whole(key))).toBe(true);
      await put(key, contents[3]!);
      expect((await whole(key)).equals(contents[3]!)).toBe(true);
    }
  });

  it('stores, lists and deletes a key that ends in .jsonl', async () => {
    const key = 'lines/2026/07-a.jsonl';
    await put(key, Buffer.from('{}\n'));
    expect((await whole(key)).toString()).toBe('{}\n');
    expect((await objects.list({ prefix: 'lines/' })).objects.map((object) => object.key)).toEqual([key]);
    await objects.delete(key);
    expect(await objects.find(key)).toBeNull();
  });

  it('throws RangeError for invalid keys and prefixes', async () => {
    const wrong = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      '../a',
      'a/../b',
      'a.bin',
      '.jsonl',
      'a.jsonl/b',
      'a\0',
      'a b',
      'ä',
      'a\\b',
      'a\n',
      'x'.repeat(513),
      'x'.repeat(201),
    ];
    for (const key of wrong) {
      const content = Readable.from([Buffer.alloc(1)]);
      await expect(objects.put(key, content, 1)).rejects.toThrow(RangeError);
      expect(content.destroyed).toBe(true);
      await expect(objects.read(key)).rejects.toThrow(RangeError);
      await expect(objects.find(key)).rejects.toThrow(RangeError);
      await expect(objects.delete(key)).rejects.toThrow(RangeError);
      await expect(objects.deleteMany(['a', key])).rejects.toThrow(RangeError);
    }
    for (const prefix of ['..', '/', 'a//', '../', 'a.'])
      await expect(objects.list({ prefix })).rejects.toThrow(RangeError);
  });

  it('throws RangeError for invalid sizes, ranges and page sizes', async () => {
    for (const bytes of [0, -1, 0.5, NaN, 5 * 1_024 ** 3 + 1])
      await expect(objects.put(newKey(), Readable.from([]), bytes)).rejects.toThrow(RangeError);
    for (const [from, end] of [
      [-1, 1],
      [1, 1],
      [2, 1],
      [0, 0.5],
      [0, Infinity],
    ] as const)
      await expect(objects.read(newKey(), { start: from, end })).rejects.toThrow(RangeError);
    for (const limit of [0, -1, 1.5, 1_001])
      await expect(objects.list({ prefix: '', limit })).rejects.toThrow(RangeError);
  });

  it('does not buffer contents: 50 concurrent puts of 8 MB need a fraction of that memory', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'vaultsvc-put-'));
    try {
      const keys = Array.from({ length: 50 }, () => newKey());
      const { results, growthBytes } = await runPutProgram(await buildPutProgram(dir), {
        ...store.place,
        keys,
        bytes: 8 * 1_024 * 1_024,
      });
      expect(results).toEqual(keys.map(() => 'ok'));
      // Of 400 MB in total.
      expect(growthBytes).toBeLessThan(150 * 1_024 * 1_024);
      expect(await objects.find(keys[49]!)).toMatchObject({ bytes: 8 * 1_024 * 1_024 });
      await objects.deleteMany(keys);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

/** A stream that is destroyed after 50,000 bytes, with or without an error. */
function failing(error?: Error): Readable {
  let isFirst = true;
  return new Readable({
    read() {
      if (isFirst) this.push(Buffer.alloc(50_000));
      else this.destroy(error);
      isFirst = false;
    },
  });
}
