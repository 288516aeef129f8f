import { timingSafeEqual } from 'node:crypto';
import { Tampered, UnknownFormat, WrongKey } from '../errors.js';
import { deriveKey } from '../kdf/index.js';
import { mac, macEquals } from '../mac/mac.js';
import { assertFileKey, type FileVersion, idsOf } from './file-key.js';
import { chunkBytes, chunkCount } from './layout.js';

/** One row of the manifest of a file: the metadata of a stored chunk. None of it is secret. */
export interface ChunkRow {
  readonly chunk: number;
  /** 32 random bytes, new for each attempt at the chunk. */
  readonly salt: Buffer;
  /** 32 bytes that commit the chunk to one key, which GCM alone does not do. */
  readonly commitment: Buffer;
  /** Bytes of the plaintext. */
  readonly bytes: number;
  /** 32 bytes: HMAC-SHA-256 over index, salt and length, and over size and number of chunks of the file. */
  readonly mac: Buffer;
}

/** Bytes of the salt of a chunk. */
export const SALT_BYTES = 32;
const KEY_BYTES = 32;
const COMMIT_BYTES = 32;
const NO_SALT = Buffer.alloc(0);

/** The key and the row of a new attempt at a chunk. The caller wipes the key. */
export function newChunkRow(
  fileKey: Buffer,
  file: FileVersion,
  chunk: number,
  salt: Buffer,
): { row: ChunkRow; key: Buffer } {
  assertFileKey(fileKey);
  const bytes = chunkBytes(file.bytes, chunk);
  const { key, commitment } = deriveChunk(fileKey, file, chunk, salt);
  return { row: { chunk, salt, commitment, bytes, mac: rowMac(fileKey, file, { chunk, salt, bytes }) }, key };
}

/**
 * Verifies the row of a stored chunk and returns the key of the chunk. The caller wipes the key.
 * @throws WrongKey for another file key, version or chunk index
 * @throws Tampered for a changed row or file size, and for the row of a discarded attempt
 * @throws UnknownFormat for fields of other lengths
 */
export function openChunkRow(fileKey: Buffer, file: FileVersion, row: ChunkRow): Buffer {
  assertFileKey(fileKey);
  if (row.salt.length !== SALT_BYTES || row.commitment.length !== COMMIT_BYTES) throw new UnknownFormat();
  const { key, commitment } = deriveChunk(fileKey, file, row.chunk, row.salt);
  try {
    if (!timingSafeEqual(commitment, row.commitment)) throw new WrongKey();
    assertOfManifest(fileKey, file, row);
    return key;
  } catch (error) {
    key.fill(0);
    throw error;
  }
}

/** The MAC would suffice; the length is compared too, so that later readers of the row may rely on it. */
function assertOfManifest(fileKey: Buffer, file: FileVersion, row: ChunkRow): void {
  const isAuthentic = macEquals(row.mac, rowMac(fileKey, file, row));
  if (!isAuthentic || row.bytes !== chunkBytes(file.bytes, row.chunk)) throw new Tampered();
}

/**
 * Each row has its own MAC, which includes size and number of chunks of the file: a range read verifies the rows that it
 * needs without the rest of the manifest. Rows of discarded attempts have no valid MAC.
 */
function rowMac(fileKey: Buffer, file: FileVersion, row: Pick<ChunkRow, 'chunk' | 'salt' | 'bytes'>): Buffer {
  const key = deriveKey(fileKey, NO_SALT, 'vk/v1/manifest', idsOf(file), KEY_BYTES);
  const figures = [row.chunk, chunkCount(file.bytes), file.bytes].map(String);
  try {
    return mac(key, 'vk/v1/manifest', ...figures, row.salt, String(row.bytes));
  } finally {
    key.fill(0);
  }
}

function deriveChunk(
  fileKey: Buffer,
  file: FileVersion,
  chunk: number,
  salt: Buffer,
): { key: Buffer; commitment: Buffer } {
  const context = [...idsOf(file), String(chunk)];
  const derived = deriveKey(fileKey, salt, 'vk/v1/chunk', context, KEY_BYTES + COMMIT_BYTES);
  // A copy, because the commitment outlives the key, whose memory is wiped.
  const commitment = Buffer.from(derived.subarray(KEY_BYTES));
  return { key: derived.subarray(0, KEY_BYTES), commitment };
}
