import { TAG_BYTES } from '../aead/gcm.js';

/** What one GCM call seals: 64 KiB is where Node is fastest, and all that a range read decrypts in vain at each end. */
export const SEGMENT_BYTES = 65_536;
/** A full segment as it is stored: its ciphertext, then its tag. */
export const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES;
export const SEGMENTS_PER_CHUNK = 800;
/** What one upload request carries and one stored object holds; only a file's last chunk is shorter. */
export const CHUNK_BYTES = SEGMENTS_PER_CHUNK * SEGMENT_BYTES;
/** A full chunk as it is stored. */
export const SEALED_CHUNK_BYTES = SEGMENTS_PER_CHUNK * SEALED_SEGMENT_BYTES;
/** 5 TiB. */
export const FILE_BYTES_MAX = 5_497_558_138_880;
export const CHUNKS_MAX = 104_858;

/** The part of a range that lies in one chunk, and the stored bytes that must be read to open it: whole segments. */
export interface ChunkSlice {
  /** The chunk's index in the file. */
  readonly chunk: number;
  /** The first segment to read, counted in the chunk. */
  readonly firstSegment: number;
  readonly segments: number;
  /** Where to read in the stored chunk, and how many bytes. */
  readonly storedOffset: number;
  readonly storedBytes: number;
  /** How many plaintext bytes of the first segment lie before the range. */
  readonly skipBytes: number;
  /** How many plaintext bytes of the range lie in this chunk. */
  readonly bytes: number;
}

/** How many chunks a file has. Throws RangeError for a size that no file has: 0, above 5 TiB, a fraction. */
export function chunkCount(fileBytes: number): number {
  assertWithin('A size in bytes', fileBytes, 1, FILE_BYTES_MAX);
  return Math.ceil(fileBytes / CHUNK_BYTES);
}

/** The plaintext bytes of one chunk of a file. Throws RangeError for a chunk that the file does not have. */
export function chunkBytes(fileBytes: number, chunk: number): number {
  assertWithin('The index of a chunk', chunk, 0, chunkCount(fileBytes) - 1);
  return Math.min(CHUNK_BYTES, fileBytes - chunk * CHUNK_BYTES);
}

/** The stored bytes of one chunk of a file. Throws RangeError as `chunkBytes` does. */
export function sealedChunkBytes(fileBytes: number, chunk: number): number {
  const bytes = chunkBytes(fileBytes, chunk);
  return bytes + segmentCount(bytes) * TAG_BYTES;
}

/** How many segments so many plaintext bytes of a chunk take. */
export function segmentCount(bytesInChunk: number): number {
  return Math.ceil(bytesInChunk / SEGMENT_BYTES);
}

/** The plaintext bytes of one segment of a chunk. */
export function segmentBytes(bytesInChunk: number, segment: number): number {
  return Math.min(SEGMENT_BYTES, bytesInChunk - segment * SEGMENT_BYTES);
}

/**
 * Where `bytes` plaintext bytes from `offset` on lie in a file, chunk by chunk. Nothing is held: the slices of 5 TiB
 * are made one at a time. Throws RangeError for a range that is empty or reaches out of the file.
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

/** The slice of the plaintext from `start` to before `end` of one chunk. */
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
