import { timingSafeEqual } from 'node:crypto';
import { Tampered, UnknownFormat, WrongKey } from '../errors.js';
import { deriveKey } from '../kdf/index.js';
import { mac, macEquals } from '../mac/mac.js';
import { assertFileKey, type FileVersion, idsOf } from './file-version.js';
import { chunkBytes, chunkCount } from './layout.js';

/** What is kept of a stored chunk beside its bytes: one row of the file's manifest. None of it is secret. */
export interface ChunkRow {
  readonly chunk: number;
  /** 32 bytes, drawn for this attempt at the chunk and no other. */
  readonly salt: Buffer;
  /** 32 bytes that tie the chunk to one key (GCM alone does not). */
  readonly commitment: Buffer;
  /** The plaintext's length. */
  readonly bytes: number;
  /** 32 bytes over all of this and over the file's size and number of chunks. */
  readonly mac: Buffer;
}

export const SALT_BYTES = 32;
const KEY_BYTES = 32;
const COMMIT_BYTES = 32;
const NO_SALT = Buffer.alloc(0);

/** The key of one attempt at a chunk and its row. The caller fills the key with 0 when done. */
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
 * The key of a stored chunk, once its row has proven to be the file's own. Throws `WrongKey` for another file key,
 * file or place in it, `Tampered` for a changed row or size, or the row of a discarded attempt, `UnknownFormat` for
 * a row that none of ours looks like. The caller fills the key with 0 when done.
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

/** The MAC alone would do; the length is compared as well, so that no later reader of the row trusts another one. */
function assertOfManifest(fileKey: Buffer, file: FileVersion, row: ChunkRow): void {
  const isOurs = macEquals(row.mac, rowMac(fileKey, file, row));
  if (!isOurs || row.bytes !== chunkBytes(file.bytes, row.chunk)) throw new Tampered();
}

/**
 * One MAC per row over the whole file's size and number of chunks: a range read proves the rows that it touches,
 * without the rest of the manifest. A row left over from a discarded attempt never had one.
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
  // The commitment is public and outlives the key beside it, so it gets memory of its own.
  const commitment = Buffer.from(derived.subarray(KEY_BYTES));
  return { key: derived.subarray(0, KEY_BYTES), commitment };
}
