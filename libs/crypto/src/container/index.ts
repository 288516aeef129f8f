export { Tampered, UnknownFormat, WrongChecksum, WrongChunkLength, WrongKey } from '../errors.js';
export type { Checksum } from './chunk-hasher.js';
export type { ChunkRow } from './chunk-row.js';
export {
  contentHash,
  openChunkHash,
  openContentHash,
  SEALED_HASH_BYTES,
  sealChunkHash,
  sealContentHash,
} from './content-hash.js';
export {
  type FileIds,
  type FileKeyHolder,
  type FileVersion,
  type TransferTerms,
  unwrapFileKey,
  wrapFileKey,
} from './file-key.js';
export {
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
} from './layout.js';
export { openChunkRange } from './open-chunk-range.js';
export { sealChunk, type SealedChunk } from './seal-chunk.js';
