import { randomBytes, randomInt } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES, CHUNKS_MAX, FILE_BYTES_MAX, SEALED_SEGMENT_BYTES } from '@vaultsvc/crypto/container';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { storeChunk, storeVersion, type StoredChunk } from '../testing/stored-file.js';
import { mintTransfer, type MintedTransfer } from '../testing/transfers.js';

/** For hundreds of requests on a busy machine. */
const LONG_MS = 120_000;
let downloads: DownloadFixture;
beforeAll(async () => {
  downloads = await startDownloadFixture();
});
afterAll(() => downloads.harness.stop());

const rangeOf = (start: number, end: number) => ({ Range: `bytes=${start}-${end - 1}` });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function isSlice(istk: string, content: Buffer, start: number, end: number): Promise<boolean> {
  const response = await downloads.get(istk, rangeOf(start, end));
  return response.status === 206 && (await bytesOf(response)).equals(content.subarray(start, end));
}

/** Runs `work` `count` times, eight at a time. */
async function repeat(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

describe('FRG-20 FRG-21 ING-41: a range', () => {
  it.each([200_000, 3_000_000])(
    'of a content of %i bytes equals the slice, at the edges of segments and at 150 random places',
    async (size) => {
      const content = randomBytes(size);
      const { istk } = await downloads.stream(await downloads.store(content));
      const edges = [0, 65_535, 65_536, 131_071, 131_072, size - 65_536, size - 1];
      await repeat(150, async (index) => {
        const start = edges[index] ?? randomInt(size);
        const end = start + 1 + randomInt(Math.min(size - start, 200_000));
        expect([start, end, await isSlice(istk, content, start, end)]).toEqual([start, end, true]);
      });
    },
    LONG_MS,
  );

  it(
    'across a chunk boundary equals the slice, at 200 places and for the whole content',
    async () => {
      const content = randomBytes(CHUNK_BYTES + 300_000);
      const { istk } = await downloads.stream(await downloads.store(content));
      const edges = [1, 2, 65_536, 65_537].flatMap((around): [number, number][] => [
        [CHUNK_BYTES - around, CHUNK_BYTES + around],
        [CHUNK_BYTES - around, CHUNK_BYTES],
        [CHUNK_BYTES, CHUNK_BYTES + around],
      ]);
      await repeat(200, async (index) => {
        const random = [CHUNK_BYTES - randomInt(200_000), CHUNK_BYTES + 1 + randomInt(200_000)];
        const [start, end] = (edges[index] ?? random) as [number, number];
        expect([start, end, await isSlice(istk, content, start, end)]).toEqual([start, end, true]);
      });
      expect((await bytesOf(await downloads.get(istk))).equals(content)).toBe(true);
    },
    LONG_MS,
  );
});

describe('altered content', () => {
  const pathOf = ({ objectKey }: StoredChunk) => join(downloads.harness.objectsDir, `${objectKey}.bin`);

  it.each([200_000, 3_000_000])(
    'FRG-35: is refused before a byte of its segment is sent, for each of 200 changed bits in %i bytes',
    async (size) => {
      const { istk, path } = await stored(randomBytes(size));
      const object = await open(path, 'r+');
      const { size: sealedBytes } = await object.stat();
      for (let change = 0; change < 200; change += 1) {
        const place = randomInt(sealedBytes);
        const byte = Buffer.alloc(1);
        await object.read(byte, 0, 1, place);
        await object.write(Buffer.of((byte[0] as number) ^ (1 << randomInt(8))), 0, 1, place);
        const start = Math.floor(place / SEALED_SEGMENT_BYTES) * 65_536;
        const response = await downloads.get(istk, rangeOf(start, Math.min(start + 10, size)));
        const isRefusal = (await bytesOf(response)).includes('INTERNAL_ERROR');
        expect([place, response.status, isRefusal]).toEqual([place, 500, true]);
        await object.write(byte, 0, 1, place);
      }
      await object.close();
      expect((await bytesOf(await downloads.get(istk))).length).toBe(size);
    },
    LONG_MS,
  );

  it('ING-41: in the middle of a download cuts it off after the verified bytes', async () => {
    const content = randomBytes(3_000_000);
    const { istk, path } = await stored(content);
    const sealed = await readFile(path);
    const place = 20 * SEALED_SEGMENT_BYTES + 7;
    sealed[place] = (sealed[place] as number) ^ 1;
    await writeFile(path, sealed);
    const response = await downloads.get(istk);
    const parts: Buffer[] = [];
    const reading = async () => {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
        parts.push(Buffer.from(part));
    };
    await expect(reading()).rejects.toThrow();
    const received = Buffer.concat(parts);
    expect(received.length).toBeLessThanOrEqual(20 * 65_536);
    expect(received.equals(content.subarray(0, received.length))).toBe(true);
  });

  it('FRG-25: leaves a single-use ISTK unused when the first segment cannot be read', async () => {
    const content = randomBytes(1_000);
    const { file, path } = await stored(content);
    const { istk } = await downloads.mint(file);
    const sealed = await readFile(path);
    await writeFile(path, sealed.subarray(1));
    expect((await downloads.get(istk)).status).toBe(500);
    await writeFile(path, sealed);
    expect((await bytesOf(await downloads.get(istk))).equals(content)).toBe(true);
  });

  it('is refused as the object of another file, a shortened object, or one of an earlier attempt', async () => {
    const [one, other] = [await stored(randomBytes(70_000)), await stored(randomBytes(70_000))];
    const sealed = await readFile(one.path);
    const isRefused = async () => (await downloads.get(one.istk)).status === 500;
    for (const replaced of [await readFile(other.path), sealed.subarray(0, -1), sealed.subarray(0, 65_552)]) {
      await writeFile(one.path, replaced);
      expect(await isRefused()).toBe(true);
    }
    await writeFile(one.path, sealed);
    expect(await isRefused()).toBe(false);
    const later = await storeChunk(downloads.service, one.file, 0, randomBytes(70_000));
    await writeFile(pathOf(later), sealed);
    expect(await isRefused()).toBe(true);
  });

  it.each(['salt', 'commitment', 'mac'])(
    "is refused when the %s of the chunk's row was changed",
    async (column) => {
      const { istk, file } = await stored(randomBytes(1_000));
      await downloads.sql(
        `UPDATE chunks SET ${column} = set_byte(${column}, 3, get_byte(${column}, 3) # 1) WHERE version_id = $1`,
        [file.versionId],
      );
      expect((await downloads.get(istk)).status).toBe(500);
    },
  );

  async function stored(content: Buffer) {
    const file = await downloads.store(content);
    const [{ object_key: objectKey }] = (await downloads.sql<{ object_key: string }>(
      'SELECT object_key FROM chunks WHERE version_id = $1',
      [file.versionId],
    )) as [{ object_key: string }];
    const path = pathOf({ objectKey } as StoredChunk);
    return { file, path, istk: (await downloads.stream(file)).istk };
  }
});

describe('ING-41: a file of 5 TiB', () => {
  const touched = [0, 1, 52_428, 52_429, 104_856, 104_857];
  const textOf = (chunk: number) =>
    Buffer.alloc(chunk === 104_857 ? 31_457_280 : CHUNK_BYTES, `chunk ${chunk} of 5 TiB; `);
  let file: MintedTransfer;
  let istk: string;

  beforeAll(async () => {
    file = await mintTransfer(downloads.harness, { sizeBytes: FILE_BYTES_MAX });
    await storeVersion(downloads.service, file);
    // All rows exist; only the chunks that are read have objects.
    for (let from = 0; from < CHUNKS_MAX; from += 10_000)
      await downloads.sql(
        `INSERT INTO chunks (version_id, chunk, bytes, salt, commitment, mac, object_key)
         SELECT $1, n, 52428800, sha256(n::text::bytea), sha256(n::text::bytea), sha256(n::text::bytea), 'v1/none/' || n
           FROM generate_series($2::int, $3::int) n`,
        [file.versionId, from, Math.min(from + 10_000, CHUNKS_MAX) - 1],
      );
    for (const chunk of touched) await storeChunk(downloads.service, file, chunk, textOf(chunk));
    ({ istk } = await downloads.stream(file, { bytesMax: 20 * FILE_BYTES_MAX }));
  }, LONG_MS);

  const isPattern = (bytes: Buffer, offset: number) =>
    bytes.every((byte, index) => {
      const position = offset + index;
      const pattern = `chunk ${Math.floor(position / CHUNK_BYTES)} of 5 TiB; `;
      return byte === pattern.charCodeAt((position % CHUNK_BYTES) % pattern.length);
    });

  it.each([
    ['the first bytes', 0, 100],
    ['the edge of the first two chunks', CHUNK_BYTES - 50, CHUNK_BYTES + 50],
    ['an edge in the middle', 52_429 * CHUNK_BYTES - 50, 52_429 * CHUNK_BYTES + 50],
    ['the edge of the last two chunks', 104_857 * CHUNK_BYTES - 50, 104_857 * CHUNK_BYTES + 50],
    ['the last bytes', FILE_BYTES_MAX - 100, FILE_BYTES_MAX],
  ])('sends %s', async (_, start, end) => {
    const response = await downloads.get(istk, rangeOf(start, end));
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${FILE_BYTES_MAX}`);
    const bytes = await bytesOf(response);
    expect(bytes.length).toBe(end - start);
    expect(isPattern(bytes, start)).toBe(true);
  });

  it('starts to send the whole at once, and stops when the client disconnects', async () => {
    const abort = new AbortController();
    const response = await fetch(`${downloads.url}/decrypt?istk=${istk}`, { signal: abort.signal });
    expect(response.headers.get('content-length')).toBe(String(FILE_BYTES_MAX));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(isPattern(Buffer.from(value as Uint8Array), 0)).toBe(true);
    abort.abort();
  });

  it('sends the first byte of its last range as soon as that of a small file', async () => {
    const small = await downloads.stream(await downloads.store(randomBytes(1_000)));
    const firstByteMs = async (of: string, start: number) => {
      const startedMs = performance.now();
      await bytesOf(await downloads.get(of, rangeOf(start, start + 1)));
      return performance.now() - startedMs;
    };
    // Alternating, and the fastest of each, so that other load on the machine does not count.
    let [large, little] = [Infinity, Infinity];
    for (let round = 0; round < 30; round += 1) {
      large = Math.min(large, await firstByteMs(istk, FILE_BYTES_MAX - 1));
      little = Math.min(little, await firstByteMs(small.istk, 999));
    }
    expect(large).toBeLessThan(little * 3 + 20);
  });
});
