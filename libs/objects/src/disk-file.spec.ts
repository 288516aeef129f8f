import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { writeFile } from './disk-file.js';
import { Unavailable, WrongLength } from './errors.js';

const STEP_BYTES = 256 * 1_024;
const CHUNK = randomBytes(65_552);
const WHOLE_BYTES = 400 * CHUNK.length;

/** A fake of an open file that records its calls. Each of them may be replaced by a failure or a delay. */
class FakeFile {
  readonly calls: string[] = [];
  readonly written: Buffer[] = [];
  writes = 0;
  onWrite: (bytes: Buffer) => Promise<number> | number = ({ length }) => length;
  onDataSync: () => Promise<void> | void = () => undefined;

  async writev(chunks: readonly Buffer[]): Promise<{ bytesWritten: number }> {
    this.writes += 1;
    const bytes = Buffer.concat(chunks.filter(({ length }) => length > 0)); // freed ones cannot be copied
    const bytesWritten = await this.onWrite(bytes);
    this.written.push(bytes.subarray(0, bytesWritten));
    this.calls.push('write');
    return { bytesWritten };
  }

  async datasync(): Promise<void> {
    await setImmediate(); // so that writes overtake it
    this.calls.push('datasync');
    await this.onDataSync();
  }

  async sync(): Promise<void> {
    await setImmediate();
    this.calls.push('sync');
  }

  async close(): Promise<void> {
    this.calls.push('close');
  }
}

function* chunks(count: number, chunk = CHUNK) {
  for (let index = 0; index < count; index += 1) yield chunk;
}

function write(
  file: FakeFile,
  content: Iterable<Buffer>,
  bytes: number,
  given?: { fsync?: boolean; ownsContent?: boolean | undefined },
): Promise<void> {
  const options = { bytes, fsync: true, ...given };
  return writeFile(file as unknown as FileHandle, Readable.from(content, { highWaterMark: 1 }), options);
}

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

describe('a file of a content', () => {
  it('is synced after its last byte was written, and closed after that', async () => {
    const file = new FakeFile();
    await write(file, chunks(400), WHOLE_BYTES);
    expect(file.calls.slice(-2)).toEqual(['sync', 'close']);
    expect(Buffer.concat(file.written).equals(Buffer.concat([...chunks(400)]))).toBe(true);
    // 26 MB in steps of 8 MiB, while more is written.
    expect(file.calls).toContain('datasync');
  });

  it('is not synced when the store is not durable', async () => {
    const file = new FakeFile();
    await write(file, chunks(400), WHOLE_BYTES, { fsync: false });
    expect(new Set(file.calls)).toEqual(new Set(['write', 'close']));
  });

  it('fails when an earlier sync has failed, because the system reports a sync error once', async () => {
    const file = new FakeFile();
    file.onDataSync = () => failing('EIO');
    await expect(write(file, chunks(400), WHOLE_BYTES)).rejects.toThrow(Unavailable);
    expect(file.calls).not.toContain('sync');
  });

  it.each([1, 2, 50])('fails when its write %i fails, while further chunks are gathered', async (failed) => {
    const file = new FakeFile();
    file.onWrite = ({ length }) => (file.writes === failed ? failing('ENOSPC') : length);
    await expect(write(file, chunks(400), WHOLE_BYTES)).rejects.toThrow(Unavailable);
    expect(file.calls.at(-1)).toBe('close');
    expect(file.calls).not.toContain('sync');
  });

  it('is complete after partial writes', async () => {
    const file = new FakeFile();
    file.onWrite = ({ length }) => Math.ceil(length / 3);
    await write(file, chunks(40), 40 * CHUNK.length);
    expect(Buffer.concat(file.written).equals(Buffer.concat([...chunks(40)]))).toBe(true);
  });

  it('frees the chunks that are written if nothing else uses them, and no others', async () => {
    const left = async (ownsContent?: boolean) => {
      const [file, own] = [new FakeFile(), [...chunks(5)].map((chunk) => Buffer.concat([chunk]))];
      file.onWrite = ({ length }) => {
        expect(own.at(-1)).toHaveLength(65_552);
        return Math.ceil(length / 3); // so that chunks wait for their rest
      };
      await write(file, own, 5 * CHUNK.length, { ownsContent });
      expect(Buffer.concat(file.written).equals(Buffer.concat([...chunks(5)]))).toBe(true);
      return own.map(({ length }) => length);
    };
    expect(await left(true)).toEqual([0, 0, 0, 0, 0]);
    expect(await left()).toEqual([65_552, 65_552, 65_552, 65_552, 65_552]);
  });

  it('does not free chunks whose write has failed', async () => {
    const [file, own] = [new FakeFile(), [...chunks(4)].map((chunk) => Buffer.concat([chunk]))];
    file.onWrite = () => failing('EIO');
    await expect(write(file, own, 4 * CHUNK.length, { ownsContent: true })).rejects.toThrow(Unavailable);
    expect(own.map(({ length }) => length)).toEqual([65_552, 65_552, 65_552, 65_552]);
  });

  it('fails when a chunk was freed before it was written', async () => {
    const [file, once] = [new FakeFile(), Buffer.concat([CHUNK])];
    file.onWrite = async ({ length }) => {
      for (let turn = 0; turn < 20; turn += 1) await setImmediate(); // the rest has arrived before it is freed
      return length;
    };
    const wrong = write(file, chunks(5, once), 5 * CHUNK.length, { ownsContent: true });
    await expect(wrong).rejects.toThrow(WrongLength);
  });

  it('is written in steps of 256 KiB, and tiny chunks in steps of 256 chunks', async () => {
    const file = new FakeFile();
    await write(file, chunks(400), WHOLE_BYTES);
    const lengths = file.written.map(({ length }) => length);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(STEP_BYTES);
    const tiny = new FakeFile();
    await write(tiny, chunks(1_000, Buffer.of(1)), 1_000);
    expect(tiny.written.map(({ length }) => length)).toEqual([256, 256, 256, 232]);
  });

  it.each([
    ['short', 399],
    ['long', 401],
  ])('that is too %s fails without a sync', async (_, count) => {
    const file = new FakeFile();
    await expect(write(file, chunks(count), WHOLE_BYTES)).rejects.toThrow(WrongLength);
    expect(file.calls).not.toContain('sync');
  });

  it('is read 0.8 MB ahead of a disk that does not answer, and no further', async () => {
    const file = new FakeFile();
    let answer!: (bytes: number) => void;
    file.onWrite = ({ length }) =>
      file.writes === 1 ? new Promise((resolve) => (answer = resolve)) : length;
    let taken = 0;
    const content = function* () {
      for (const chunk of chunks(400)) yield ((taken += 1), chunk);
    };
    const written = write(file, content(), WHOLE_BYTES);
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(taken * CHUNK.length).toBeLessThan(800_000);
    answer(4 * CHUNK.length);
    await written;
    expect(taken).toBe(400);
  });
});
