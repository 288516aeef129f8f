import { createHash } from 'node:crypto';
import { openContent, SEALED_OVERHEAD_BYTES, sealContent } from '../aead/sealed-value.js';
import { Tampered } from '../errors.js';
import { HASH_BYTES } from '../hash/index.js';
import { assertFileKey, type FileVersion, idsOf } from './file-key.js';
import { chunkCount } from './layout.js';

/** Bytes of every sealed hash: 129. */
export const SEALED_HASH_BYTES = SEALED_OVERHEAD_BYTES + HASH_BYTES;

/**
 * The hash of a version from the SHA-256 of each of its chunks, in their order: of one chunk that hash itself, else the
 * SHA-256 of all hashes one after another.
 * @throws Tampered if there are more or fewer hashes than chunks
 */
export async function contentHash(
  file: FileVersion,
  chunkHashes: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<Buffer> {
  const all = createHash('sha256');
  let [count, last]: [number, Buffer] = [0, Buffer.alloc(0)];
  for await (const hash of chunkHashes) {
    all.update(hash);
    [count, last] = [count + 1, hash];
  }
  if (count !== chunkCount(file.bytes)) throw new Tampered();
  return count === 1 ? last : all.digest();
}

/**
 * Seals the hash of a chunk under a key derived from the file key: 129 bytes. A bare hash would confirm a guess of the
 * content. It opens for this chunk of this version only.
 */
export function sealChunkHash(fileKey: Buffer, file: FileVersion, chunk: number, hash: Buffer): Buffer {
  assertFileKey(fileKey);
  return sealContent(fileKey, 'vk/v1/chunk-hash', [...fieldsOf(file), String(chunk)], hash);
}

/** @throws WrongKey for another file key, version, size or chunk; Tampered or UnknownFormat for changed bytes */
export function openChunkHash(fileKey: Buffer, file: FileVersion, chunk: number, sealed: Buffer): Buffer {
  assertFileKey(fileKey);
  return openContent(fileKey, 'vk/v1/chunk-hash', [...fieldsOf(file), String(chunk)], sealed);
}

/** Seals the hash of a version, like that of a chunk: 129 bytes. */
export function sealContentHash(fileKey: Buffer, file: FileVersion, hash: Buffer): Buffer {
  assertFileKey(fileKey);
  return sealContent(fileKey, 'vk/v1/content-hash', fieldsOf(file), hash);
}

/** @throws WrongKey for another file key, version or size; Tampered or UnknownFormat for changed bytes */
export function openContentHash(fileKey: Buffer, file: FileVersion, sealed: Buffer): Buffer {
  assertFileKey(fileKey);
  return openContent(fileKey, 'vk/v1/content-hash', fieldsOf(file), sealed);
}

/** The size is included, because a hash of hashes alone does not tell how many chunks it is of. */
function fieldsOf(file: FileVersion): readonly string[] {
  return [...idsOf(file), String(file.bytes)];
}
