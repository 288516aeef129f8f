import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CHUNK_BYTES,
  chunkBytes,
  chunkCount,
  CHUNKS_MAX,
  type ChunkSlice,
  FILE_BYTES_MAX,
  SEALED_CHUNK_BYTES,
  SEALED_SEGMENT_BYTES,
  sealedChunkBytes,
  SEGMENT_BYTES,
  SEGMENTS_PER_CHUNK,
  slicesOf,
} from './index.js';

const fileBytes = fc.oneof(
  fc.integer({ min: 1, max: FILE_BYTES_MAX }),
  fc.integer({ min: 1, max: 3 * CHUNK_BYTES }),
);

describe('ING-41: The layout of a file', () => {
  it('has segments of 64 KiB with a tag of 16 bytes, and chunks of 800 segments', () => {
    expect([SEGMENT_BYTES, SEALED_SEGMENT_BYTES, SEGMENTS_PER_CHUNK]).toEqual([65_536, 65_552, 800]);
    expect([CHUNK_BYTES, SEALED_CHUNK_BYTES]).toEqual([52_428_800, 52_441_600]);
  });

  it('divides 5 TiB into 104,858 chunks, the last of 31,457,280 bytes, and adds 0.0244 %', () => {
    expect(chunkCount(FILE_BYTES_MAX)).toBe(CHUNKS_MAX);
    expect(chunkBytes(FILE_BYTES_MAX, CHUNKS_MAX - 1)).toBe(31_457_280);
    expect(chunkBytes(FILE_BYTES_MAX, CHUNKS_MAX - 2)).toBe(CHUNK_BYTES);
    const stored =
      (CHUNKS_MAX - 1) * sealedChunkBytes(FILE_BYTES_MAX, 0) +
      sealedChunkBytes(FILE_BYTES_MAX, CHUNKS_MAX - 1);
    expect(stored - FILE_BYTES_MAX).toBe(1_342_177_280);
  });

  it.each([
    [1, 1, 1, 17],
    [65_535, 1, 65_535, 65_551],
    [65_536, 1, 65_536, 65_552],
    [65_537, 1, 65_537, 65_569],
    [52_428_799, 1, 52_428_799, 52_441_599],
    [52_428_800, 1, 52_428_800, 52_441_600],
    [52_428_801, 2, 1, 17],
  ])('divides %i bytes into %i chunks, the last of %i bytes, stored as %i', (bytes, count, last, stored) => {
    expect(chunkCount(bytes)).toBe(count);
    expect(chunkBytes(bytes, count - 1)).toBe(last);
    expect(sealedChunkBytes(bytes, count - 1)).toBe(stored);
  });

  it('refuses invalid sizes and chunk indexes', () => {
    for (const bytes of [0, -1, 1.5, NaN, FILE_BYTES_MAX + 1, Infinity]) {
      expect(() => chunkCount(bytes)).toThrow(RangeError);
    }
    for (const chunk of [-1, 2, 0.5, NaN, CHUNKS_MAX]) {
      expect(() => chunkBytes(CHUNK_BYTES + 1, chunk)).toThrow(RangeError);
      expect(() => sealedChunkBytes(CHUNK_BYTES + 1, chunk)).toThrow(RangeError);
    }
    expect(() => chunkBytes(FILE_BYTES_MAX, CHUNKS_MAX)).toThrow(RangeError);
  });
});

/** Start (inclusive) and end (exclusive) of the plaintext of a slice, as offsets in the file. */
const startOf = ({ chunk, firstSegment, skipBytes }: ChunkSlice) =>
  chunk * CHUNK_BYTES + firstSegment * SEGMENT_BYTES + skipBytes;
const endOf = (slice: ChunkSlice) => startOf(slice) + slice.bytes;

describe('FRG-20 FRG-21: The slices of a range', () => {
  it('are one segment of one chunk for the first, a middle and the last byte of 5 TiB', () => {
    const one = (offset: number) => [...slicesOf(FILE_BYTES_MAX, offset, 1)];
    const slice = {
      firstSegment: 0,
      segments: 1,
      storedOffset: 0,
      storedBytes: 65_552,
      skipBytes: 0,
      bytes: 1,
    };
    expect(one(0)).toEqual([{ ...slice, chunk: 0 }]);
    expect(one(FILE_BYTES_MAX / 2)).toEqual([
      { ...slice, chunk: 52_428, firstSegment: 640, storedOffset: 640 * 65_552 },
    ]);
    expect(one(FILE_BYTES_MAX - 1)).toEqual([
      { ...slice, chunk: 104_857, firstSegment: 479, storedOffset: 479 * 65_552, skipBytes: 65_535 },
    ]);
  });

  it('are 104,858 adjoining slices for the whole of 5 TiB', () => {
    let [position, stored, count] = [0, 0, 0];
    for (const slice of slicesOf(FILE_BYTES_MAX, 0, FILE_BYTES_MAX)) {
      if (startOf(slice) !== position || slice.chunk !== count) throw new Error(`A gap before ${position}`);
      position = endOf(slice);
      stored += slice.storedBytes;
      count += 1;
    }
    expect([position, stored, count]).toEqual([FILE_BYTES_MAX, FILE_BYTES_MAX + 1_342_177_280, CHUNKS_MAX]);
  });

  it('cover any range exactly with complete stored segments and less than one segment of excess at each end', () => {
    const range = fileBytes.chain((file) =>
      fc.record({
        file: fc.constant(file),
        offset: fc.integer({ min: 0, max: file - 1 }),
        length: fc.integer({ min: 1, max: 4 * CHUNK_BYTES }),
      }),
    );
    fc.assert(
      fc.property(range, ({ file, offset, length }) => {
        const bytes = Math.min(length, file - offset);
        const slices = [...slicesOf(file, offset, bytes)];
        expect(startOf(slices[0]!)).toBe(offset);
        expect(endOf(slices.at(-1)!)).toBe(offset + bytes);
        slices.slice(1).forEach((slice, index) => expect(startOf(slice)).toBe(endOf(slices[index]!)));
        for (const slice of slices) {
          const plainBytes = slice.storedBytes - slice.segments * 16;
          const spare = plainBytes - slice.skipBytes - slice.bytes;
          expect(slice.storedOffset).toBe(slice.firstSegment * SEALED_SEGMENT_BYTES);
          expect(slice.storedOffset + slice.storedBytes).toBeLessThanOrEqual(
            sealedChunkBytes(file, slice.chunk),
          );
          expect(Math.ceil(plainBytes / SEGMENT_BYTES)).toBe(slice.segments);
          expect(slice.skipBytes >= 0 && slice.skipBytes < SEGMENT_BYTES).toBe(true);
          expect(spare >= 0 && spare < SEGMENT_BYTES).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('are refused for empty, exceeding and fractional ranges before the iteration', () => {
    for (const [offset, bytes] of [
      [0, 0],
      [0, 11],
      [10, 1],
      [9, 2],
      [-1, 1],
      [0.5, 1],
      [0, NaN],
    ] as const) {
      expect(() => slicesOf(10, offset, bytes)).toThrow(RangeError);
    }
    expect(() => slicesOf(0, 0, 1)).toThrow(RangeError);
  });
});
