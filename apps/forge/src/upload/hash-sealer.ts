import { Injectable } from '@nestjs/common';
import {
  chunkCount,
  contentHash,
  type FileVersion,
  openChunkHash,
  sealChunkHash,
  sealContentHash,
  unwrapFileKey,
} from '@vaultsvc/crypto/container';
import { ChunkHashRepository } from './chunk-hash.repository.js';
import type { NextChunk } from './next-chunk.js';

/** The hash of a chunk, and with the last chunk that of the version; both sealed. */
export interface SealedHashes {
  readonly chunkHash: Buffer;
  /** null before the last chunk, and if a chunk has no hash. */
  readonly contentHash: Buffer | null;
}

/**
 * Seals the hashes of chunks, and makes the hash of a version from them (ADR 44). Before the last chunk of an upload is
 * committed, all others are stored and never change.
 */
@Injectable()
export class HashSealer {
  constructor(private readonly hashes: ChunkHashRepository) {}

  /** `hash`: the SHA-256 of the chunk. Throws `WrongKey`, `Tampered` or `UnknownFormat` if another hash was changed. */
  async seal({ upload, wrappedKey, chunk }: NextChunk, secret: Buffer, hash: Buffer): Promise<SealedHashes> {
    const { file } = upload;
    const fileKey = unwrapFileKey(secret, file, { holder: 'upload' }, wrappedKey);
    try {
      const chunkHash = sealChunkHash(fileKey, file, chunk, hash);
      const isLast = chunk === chunkCount(file.bytes) - 1;
      return { chunkHash, contentHash: isLast ? await this.#sealVersion(fileKey, file, hash) : null };
    } finally {
      fileKey.fill(0);
    }
  }

  async #sealVersion(fileKey: Buffer, file: FileVersion, last: Buffer): Promise<Buffer | null> {
    const others = chunkCount(file.bytes) - 1;
    if (others > 0 && !(await this.hashes.areComplete(file.versionId, others))) return null;
    const hash = await contentHash(file, this.#all(fileKey, file, last));
    return sealContentHash(fileKey, file, hash);
  }

  async *#all(fileKey: Buffer, file: FileVersion, last: Buffer): AsyncGenerator<Buffer, void> {
    for await (const { chunk, sealedHash } of this.hashes.find(file.versionId, chunkCount(file.bytes) - 1))
      yield openChunkHash(fileKey, file, chunk, sealedHash);
    yield last;
  }
}
