import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { lengthPrefixed } from '../encoding/index.js';
import {
  CHUNK_BYTES,
  chunkBytes,
  chunkCount,
  type ChunkRow,
  CHUNKS_MAX,
  type ChunkSlice,
  FILE_BYTES_MAX,
  type FileVersion,
  openChunkRange,
  sealChunk,
  sealedChunkBytes,
  slicesOf,
  WrongChunkLength,
} from './index.js';
import { ChunkHasher } from './chunk-hasher.js';
import { ChunkOpener } from './open-chunk-range.js';
import { ChunkSealer } from './seal-chunk.js';
import { SegmentCiphers } from './segment-ciphers.js';

const fileKey = randomBytes(32);
const fileOf = (bytes: number): FileVersion => ({
  accountId: 'acc_A',
  vaultId: 'vlt_A',
  ingotId: 'ing_A',
  versionId: 'ver_A',
  bytes,
});
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The output of a stream for these writes. */
async function through(stream: Transform, pieces: readonly Buffer[]): Promise<Buffer> {
  const out: Buffer[] = [];
  const collect = new Writable({ write: (bytes: Buffer, _, done) => void (out.push(bytes), done()) });
  await pipeline(Readable.from(pieces), stream, collect);
  return Buffer.concat(out);
}

interface Stored {
  readonly row: ChunkRow;
  readonly bytes: Buffer;
}

async function store(file: FileVersion, plaintext: Buffer): Promise<Stored[]> {
  const chunks: Stored[] = [];
  for (let chunk = 0; chunk < chunkCount(file.bytes); chunk += 1) {
    const { row, stream } = sealChunk(fileKey, file, chunk);
    const start = chunk * CHUNK_BYTES;
    chunks.push({ row, bytes: await through(stream, [plaintext.subarray(start, start + row.bytes)]) });
  }
  return chunks;
}

async function read(file: FileVersion, chunks: Stored[], offset: number, bytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const slice of slicesOf(file.bytes, offset, bytes)) {
    const { row, bytes: stored } = chunks[slice.chunk]!;
    const wanted = stored.subarray(slice.storedOffset, slice.storedOffset + slice.storedBytes);
    parts.push(await through(openChunkRange(fileKey, file, row, slice), [wanted]));
  }
  return Buffer.concat(parts);
}

describe('ING-41 FRG-35: Sealed files', () => {
  it.each([1, 65_535, 65_536, 65_537, 52_428_799, 52_428_800, 52_428_801, 2 * CHUNK_BYTES + 100_000])(
    'of %i bytes open to their plaintext and have the computed stored size',
    async (size) => {
      const [file, plaintext] = [fileOf(size), randomBytes(size)];
      const chunks = await store(file, plaintext);
      chunks.forEach(({ row, bytes }, chunk) => {
        expect(bytes.length).toBe(sealedChunkBytes(size, chunk));
        expect(row).toMatchObject({ chunk, bytes: chunkBytes(size, chunk) });
      });
      expect(sha256(await read(file, chunks, 0, size))).toBe(sha256(plaintext));
    },
  );

  it('have the documented format: key, nonces, last flag and MAC are recomputed independently', async () => {
    const file = fileOf(CHUNK_BYTES + 65_536 + 5);
    const plaintext = randomBytes(65_541);
    const { row, stream } = sealChunk(fileKey, file, 1);
    const stored = await through(stream, [plaintext]);

    const info = lengthPrefixed('vk/v1/chunk', 'acc_A', 'vlt_A', 'ing_A', 'ver_A', '1');
    const derived = Buffer.from(hkdfSync('sha256', fileKey, row.salt, info, 64));
    const seal = (nonce: string, text: Buffer) => {
      const cipher = createCipheriv('aes-256-gcm', derived.subarray(0, 32), Buffer.from(nonce, 'hex'));
      return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    };
    const first = seal('000000000000000000000000', plaintext.subarray(0, 65_536));
    const last = seal('000000000000000000000101', plaintext.subarray(65_536));
    expect(stored.equals(Buffer.concat([first, last]))).toBe(true);

    const manifest = lengthPrefixed('vk/v1/manifest', 'acc_A', 'vlt_A', 'ing_A', 'ver_A');
    const manifestKey = Buffer.from(hkdfSync('sha256', fileKey, '', manifest, 32));
    const fields = lengthPrefixed('vk/v1/manifest', '1', '2', String(file.bytes), row.salt, '65541');
    expect(row.commitment).toEqual(derived.subarray(32));
    expect(row.mac).toEqual(createHmac('sha256', manifestKey).update(fields).digest());
  });

  it('FRG-34: have a new salt per attempt, so equal bytes are never sealed alike', async () => {
    const [file, plaintext] = [fileOf(1_000), randomBytes(1_000)];
    const attempts = await Promise.all(Array.from({ length: 200 }, () => store(file, plaintext)));
    expect(new Set(attempts.map(([chunk]) => chunk!.row.salt.toString('hex'))).size).toBe(200);
    expect(new Set(attempts.map(([chunk]) => sha256(chunk!.bytes))).size).toBe(200);
  });

  it('contain nothing of the plaintext or of the key', async () => {
    const plaintext = Buffer.alloc(200_000, 'attack at dawn, ');
    const [chunk] = await store(fileOf(plaintext.length), plaintext);
    expect(chunk!.bytes.includes('attack at dawn')).toBe(false);
    for (const bytes of [chunk!.bytes, ...Object.values(chunk!.row).filter(Buffer.isBuffer)]) {
      expect(bytes.includes(fileKey)).toBe(false);
    }
  });

  it('are refused beyond the last chunk, above 5 TiB, empty, or under a key that does not have 256 bits', () => {
    expect(() => sealChunk(fileKey, fileOf(FILE_BYTES_MAX), CHUNKS_MAX)).toThrow(RangeError);
    expect(() => sealChunk(fileKey, fileOf(CHUNK_BYTES), 1)).toThrow(RangeError);
    for (const bytes of [0, FILE_BYTES_MAX + 1]) {
      expect(() => sealChunk(fileKey, fileOf(bytes), 0)).toThrow(RangeError);
    }
    expect(() => sealChunk(fileKey.subarray(1), fileOf(1), 0)).toThrow(RangeError);
    const { row } = sealChunk(fileKey, fileOf(FILE_BYTES_MAX), CHUNKS_MAX - 1);
    expect(row.bytes).toBe(31_457_280);
  });

  it('accept no segment above the 800th and none that the chunk does not have', () => {
    const ciphers = new SegmentCiphers(randomBytes(32), fileOf(CHUNK_BYTES), 0);
    expect(() => ciphers.sealer(799)).not.toThrow();
    for (const segment of [800, -1, NaN, 2 ** 32]) {
      expect(() => ciphers.sealer(segment)).toThrow(RangeError);
      expect(() => ciphers.opener(segment)).toThrow(RangeError);
    }
    expect(() => new SegmentCiphers(randomBytes(32), fileOf(65_536), 0).sealer(1)).toThrow(RangeError);
  });
});

describe('FRG-20 FRG-21: An opened range', () => {
  const file = fileOf(2 * CHUNK_BYTES + 300_000);
  let plaintext: Buffer;
  let chunks: Stored[];

  beforeAll(async () => {
    plaintext = randomBytes(file.bytes);
    chunks = await store(file, plaintext);
  });
  afterAll(() => void ([plaintext, chunks] = [Buffer.alloc(0), []]));

  const isSlice = async (offset: number, bytes: number) =>
    (await read(file, chunks, offset, bytes)).equals(plaintext.subarray(offset, offset + bytes));

  it('equals the slice of the plaintext for 1,000 random ranges', async () => {
    const range = fc.tuple(fc.nat(file.bytes - 1), fc.integer({ min: 1, max: 250_000 }));
    await fc.assert(
      fc.asyncProperty(range, async ([offset, length]) => {
        expect(await isSlice(offset, Math.min(length, file.bytes - offset))).toBe(true);
      }),
      { numRuns: 1_000, unbiased: true },
    );
  });

  it('equals the slice of the plaintext for all short ranges at the edges of segments, chunks and the file', async () => {
    for (const edge of [0, 65_536, CHUNK_BYTES - 65_536, CHUNK_BYTES, 2 * CHUNK_BYTES, file.bytes]) {
      for (let offset = Math.max(0, edge - 2); offset < Math.min(edge + 2, file.bytes); offset += 1) {
        for (const bytes of [1, 2, 3, 65_536, 65_537]) {
          expect(await isSlice(offset, Math.min(bytes, file.bytes - offset))).toBe(true);
        }
      }
    }
  });

  it('equals the slice of the plaintext across three chunks', async () => {
    expect(await isSlice(CHUNK_BYTES - 1, CHUNK_BYTES + 2)).toBe(true);
  });
});

describe('The streams that seal and open', () => {
  const file = fileOf(150_000);
  const plaintext = randomBytes(file.bytes);
  const [whole] = [...slicesOf(file.bytes, 0, file.bytes)] as [ChunkSlice];
  const [fullChunk] = [...slicesOf(CHUNK_BYTES, 0, CHUNK_BYTES)] as [ChunkSlice];
  const cut = (bytes: Buffer, sizes: readonly number[]) => {
    const pieces: Buffer[] = [];
    for (let offset = 0, turn = 0; offset < bytes.length; turn += 1) {
      pieces.push(bytes.subarray(offset, (offset += sizes[turn % sizes.length]!)));
    }
    return pieces;
  };

  it('return the same bytes for every division of the input, single bytes included', async () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 70_000 }), fc.integer({ min: 1, max: 20 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(sizes, sizes, async (plainSizes, storedSizes) => {
        const { row, stream } = sealChunk(fileKey, file, 0);
        const stored = await through(stream, cut(plaintext, plainSizes));
        const opened = openChunkRange(fileKey, file, row, whole);
        expect((await through(opened, cut(stored, storedSizes))).equals(plaintext)).toBe(true);
      }),
      {
        numRuns: 30,
        examples: [
          [[1], [1]],
          [[4_096], [4_097]],
          [[65_536], [65_552]],
        ],
      },
    );
  });

  it('allocate no buffer per byte for a writer of single bytes', async () => {
    let pushes = 0;
    const { stream } = sealChunk(fileKey, file, 0);
    stream.on('data', () => void (pushes += 1));
    await pipeline(Readable.from(cut(plaintext, [1])), stream);
    expect(pushes).toBeLessThan(100);
  });

  it('FRG-12: refuse a chunk that is too short or one byte too long', async () => {
    for (const sent of [
      Buffer.alloc(0),
      plaintext.subarray(1),
      plaintext.subarray(0, 65_536),
      Buffer.concat([plaintext, Buffer.alloc(1)]),
    ]) {
      const { stream } = sealChunk(fileKey, file, 0);
      let hasEnded = false;
      stream.on('end', () => void (hasEnded = true));
      await expect(through(stream, [sent])).rejects.toThrow(WrongChunkLength);
      expect(hasEnded).toBe(false);
    }
  });

  it('apply backpressure: without a reader they accept less than 1 MiB', async () => {
    const large = fileOf(CHUNK_BYTES);
    let takenBytes = 0;
    const blocks = function* () {
      for (; takenBytes < CHUNK_BYTES; takenBytes += 65_536) yield Buffer.alloc(65_536);
    };
    const { row, stream } = sealChunk(fileKey, large, 0);
    const deaf = new Writable({ write: () => undefined });
    const given = pipeline(
      Readable.from(blocks()),
      stream,
      openChunkRange(fileKey, large, row, fullChunk),
      deaf,
    );
    for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
    expect(takenBytes).toBeGreaterThan(0);
    expect(takenBytes).toBeLessThan(1_048_576);
    deaf.destroy();
    await expect(given).rejects.toThrow('Premature close');
  });

  it('use constant memory over 500 MB', async () => {
    const large = fileOf(CHUNK_BYTES);
    const blocks = Array.from({ length: 800 }, () => plaintext.subarray(0, 65_536));
    const before = process.memoryUsage.rss();
    let peak = before;
    const seen = (_bytes: Buffer, _encoding: string, done: () => void) => {
      peak = Math.max(peak, process.memoryUsage.rss());
      done();
    };
    for (let round = 0; round < 10; round += 1) {
      const { row, stream } = sealChunk(fileKey, large, 0);
      const opener = openChunkRange(fileKey, large, row, fullChunk);
      await pipeline(Readable.from(blocks), stream, opener, new Writable({ write: seen }));
    }
    // The collector may leave what two chunks wrote; a stream that keeps what passes would hold 1 GB.
    expect(peak - before).toBeLessThan(200_000_000);
  });

  it.each([
    [true, 0],
    [false, 40_000],
  ])(
    'free the memory of large writes if the writer has given it away (%s), and leave %i bytes',
    async (ownsInput, left) => {
      const { row, stream } = sealChunk(fileKey, file, 0, { ownsInput });
      const copies = cut(plaintext, [40_000]).map((piece) => Buffer.concat([piece]));
      const stored = await through(stream, copies);
      expect(copies[0]).toHaveLength(left);
      const pieces = cut(stored, [40_000]).map((piece) => Buffer.concat([piece]));
      const opened = await through(openChunkRange(fileKey, file, row, whole, { ownsInput }), pieces);
      expect(pieces[0]).toHaveLength(left);
      expect(opened.equals(plaintext)).toBe(true);
    },
  );

  const isWiped = (key: Buffer) => key.equals(Buffer.alloc(32));
  const sealer = (key: Buffer) => new ChunkSealer(new SegmentCiphers(key, file, 0), new ChunkHasher());
  const opener = (key: Buffer) => new ChunkOpener(new SegmentCiphers(key, file, 0), whole);

  it('MISC-03: wipe their key when they end', async () => {
    const key = randomBytes(32);
    const same = Buffer.from(key);
    const stored = await through(sealer(key), [plaintext]);
    expect(isWiped(key)).toBe(true);
    expect((await through(opener(same), [stored])).equals(plaintext)).toBe(true);
    expect(isWiped(same)).toBe(true);
  });

  it('MISC-03: wipe their key when they fail and when they are destroyed', async () => {
    for (const make of [sealer, opener]) {
      const [failed, dropped] = [randomBytes(32), randomBytes(32)];
      await expect(through(make(failed), [plaintext.subarray(9)])).rejects.toThrow();
      make(dropped).destroy();
      expect([failed, dropped].map(isWiped)).toEqual([true, true]);
    }
  });

  it('emit no memory that contains plaintext outside the range', async () => {
    const { row, stream } = sealChunk(fileKey, file, 0);
    const stored = await through(stream, [plaintext]);
    const [slice] = [...slicesOf(file.bytes, 1_000, 10)] as [ChunkSlice];
    const opened = openChunkRange(fileKey, file, row, slice);
    const [given] = (await opened.end(stored.subarray(0, slice.storedBytes)).toArray()) as [Buffer];
    const around = Buffer.from(given.buffer.slice(0));
    expect(around.length).toBe(65_536);
    around.fill(0, given.byteOffset, given.byteOffset + 10);
    expect(given.equals(plaintext.subarray(1_000, 1_010))).toBe(true);
    expect(around.equals(Buffer.alloc(around.length))).toBe(true);
  });

  it("MISC-03: do not wipe the caller's file key", async () => {
    const key = Buffer.from(fileKey);
    await through(sealChunk(key, file, 0).stream, [plaintext]);
    expect(key.equals(fileKey)).toBe(true);
  });
});
