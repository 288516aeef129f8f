import { TAG_BYTES } from '../aead/gcm.js';

/** Plaintext bytes of one GCM message. Node is fastest with 64 KiB, and a range read decrypts less than that in excess at each end. */
export const SEGMENT_BYTES = 65_536;
/** Stored bytes of a full segment: ciphertext, then tag. */
export const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES;
/** Segments of a full chunk. */
export const SEGMENTS_PER_CHUNK = 800;
/** Plaintext bytes of one upload request and one stored object: 52,428,800. Only the last chunk of a file is shorter. */
export const CHUNK_BYTES = SEGMENTS_PER_CHUNK * SEGMENT_BYTES;
/** Stored bytes of a full chunk. */
export const SEALED_CHUNK_BYTES = SEGMENTS_PER_CHUNK * SEALED_SEGMENT_BYTES;
/** Largest file: 5 TiB. */
export const FILE_BYTES_MAX = 5_497_558_138_880;
/** Chunks of the largest file. */
export const CHUNKS_MAX = 104_858;

/** The part of a range in one chunk, and the stored bytes to read for it: complete segments. */
export interface ChunkSlice {
  /** Index of the chunk in the file. */
  readonly chunk: number;
  /** Index of the first segment in the chunk. */
  readonly firstSegment: number;
  readonly segments: number;
  /** Offset and number of the bytes to read from the stored chunk. */
  readonly storedOffset: number;
  readonly storedBytes: number;
  /** Plaintext bytes of the first segment before the range. */
  readonly skipBytes: number;
  /** Plaintext bytes of the range in this chunk. */
  readonly bytes: number;
}

/**
 * Number of chunks of a file.
 * @throws RangeError unless the size is an integer from 1 to 5 TiB
 */
export function chunkCount(fileBytes: number): number {
  assertWithin('A size in bytes', fileBytes, 1, FILE_BYTES_MAX);
  return Math.ceil(fileBytes / CHUNK_BYTES);
}

/**
 * Plaintext bytes of a chunk.
 * @throws RangeError if the file has no such chunk
 */
export function chunkBytes(fileBytes: number, chunk: number): number {
  assertWithin('The index of a chunk', chunk, 0, chunkCount(fileBytes) - 1);
  return Math.min(CHUNK_BYTES, fileBytes - chunk * CHUNK_BYTES);
}

/**
 * Stored bytes of a chunk.
 * @throws RangeError if the file has no such chunk
 */
export function sealedChunkBytes(fileBytes: number, chunk: number): number {
  const bytes = chunkBytes(fileBytes, chunk);
  return bytes + segmentCount(bytes) * TAG_BYTES;
}

/** Number of segments of a chunk with this many plaintext bytes. */
export function segmentCount(bytesInChunk: number): number {
  return Math.ceil(bytesInChunk / SEGMENT_BYTES);
}

/** Plaintext bytes of a segment. */
export function segmentBytes(bytesInChunk: number, segment: number): number {
  return Math.min(SEGMENT_BYTES, bytesInChunk - segment * SEGMENT_BYTES);
}

/**
 * The slices of `bytes` plaintext bytes from `offset` on, chunk by chunk, generated one at a time.
 * @throws RangeError if the range is empty or exceeds the file; thrown at once, before the iteration
 */
export function slicesOf(fileBytes: number, offset: number, bytes: number): Iterable<ChunkSlice> {
  assertWithin('A size in bytes', fileBytes, 1, FILE_BYTES_MAX);
  assertWithin('The start of a range', offset, 0, fileBytes - 1);
  assertWithin('The length of a range', bytes, 1, fileBytes - offset);
  return slices(fileBytes, offset, offset + bytes);
}

function* slices(fileBytes: number, start: number, end: number): Generator<ChunkSlice> {
  for (let chunk = Math.floor(start / CHUNK_BYTES); chunk * CHUNK_BYTES < end; chunk += 1) {
    const chunkStart = chunk * CHUNK_BYTES;
    const from = Math.max(start - chunkStart, 0);
    yield sliceOf(chunk, chunkBytes(fileBytes, chunk), from, Math.min(end - chunkStart, CHUNK_BYTES));
  }
}

/** The slice of the plaintext of a chunk from `start`, inclusive, to `end`, exclusive. */
function sliceOf(chunk: number, bytesInChunk: number, start: number, end: number): ChunkSlice {
  const firstSegment = Math.floor(start / SEGMENT_BYTES);
  const segments = segmentCount(end) - firstSegment;
  const readEnd = Math.min((firstSegment + segments) * SEGMENT_BYTES, bytesInChunk);
  return {
    chunk,
    firstSegment,
    segments,
    storedOffset: firstSegment * SEALED_SEGMENT_BYTES,
    storedBytes: readEnd - firstSegment * SEGMENT_BYTES + segments * TAG_BYTES,
    skipBytes: start - firstSegment * SEGMENT_BYTES,
    bytes: end - start,
  };
}

function assertWithin(what: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${what} is an integer from ${min} to ${max}, not ${value}`);
}
