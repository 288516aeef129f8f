import { Injectable, Logger } from '@nestjs/common';
import {
  sealChunk,
  sealedChunkBytes,
  unwrapFileKey,
  WrongChecksum,
  WrongChunkLength,
} from '@vaultsvc/crypto/container';
import type { SealedChunk } from '@vaultsvc/crypto/container';
import { ConnectionClosed } from '@vaultsvc/http';
import { Interrupted, Objects, Unavailable } from '@vaultsvc/objects';
import type { EndableTransfer, Permit } from '../fairness/permit.js';
import type { ForgeExchange } from '../exchange/forge-exchange.js';
import { wrongChunkLength } from '../tus/requests.js';
import { wrongChecksum } from '../tus/upload-checksum.js';
import { type BodyPipe, pipeBody } from './upload-body.js';
import { DiscardedBytes } from './discarded-bytes.js';
import { objectKeyOf } from '../cleanup/object-key.js';
import { UploadTimeouts } from './upload-timeouts.js';
import { HashSealer, type SealedHashes } from './hash-sealer.js';
import type { NextChunk } from './next-chunk.js';
import type { Upload } from './upload.js';
import type { StoredChunk } from './upload.repository.js';

/** Receives chunks: seals their bytes as a stream, and stores each whole or not at all. */
@Injectable()
export class ChunkReceiver {
  readonly #logger = new Logger('uploads');

  constructor(
    private readonly objects: Objects,
    private readonly timeouts: UploadTimeouts,
    private readonly discarded: DiscardedBytes,
    private readonly hashes: HashSealer,
  ) {}

  /**
   * Receives one chunk into an object of its own. Throws VALIDATION_ERROR for a body of another length or checksum,
   * `ConnectionClosed`, and the errors of the object store and of `HashSealer`; then nothing is kept. Others may end it by
   * its permit.
   */
  async receive(
    exchange: ForgeExchange,
    next: NextChunk,
    secret: Buffer,
    permit: Permit,
  ): Promise<StoredChunk> {
    const { file } = next.upload;
    const { row, stream, hash } = seal(next, secret);
    const objectKey = objectKeyOf(file.versionId, row);
    const body = pipeBody(exchange, stream, this.timeouts);
    permit.transfer = endableOf(body);
    try {
      await this.objects.put(objectKey, stream, sealedChunkBytes(file.bytes, row.chunk), {
        ownsContent: true,
      });
      return { row, objectKey, ...(await this.#hashesOf(next, secret, hash(), objectKey)) };
    } catch (error) {
      // A store that did not answer may have kept the object.
      if (error instanceof Unavailable) await this.#delete(objectKey);
      if (error instanceof Interrupted)
        await this.discarded.publish(file, body.receivedBytes, exchange.requestId);
      throw toClientError(error, next);
    } finally {
      body.stop();
    }
  }

  async #hashesOf(next: NextChunk, secret: Buffer, hash: Buffer, objectKey: string): Promise<SealedHashes> {
    try {
      return await this.hashes.seal(next, secret, hash);
    } catch (error) {
      await this.#delete(objectKey);
      throw error;
    }
  }

  /** Deletes the object of a chunk that was not committed, and counts its bytes. */
  async discard({ file }: Upload, { row, objectKey }: StoredChunk, requestId: string): Promise<void> {
    await this.#delete(objectKey);
    await this.discarded.publish(file, row.bytes, requestId);
  }

  /** If that fails, DeleteOrphanedObjects deletes it later. */
  async #delete(objectKey: string): Promise<void> {
    await this.objects.delete(objectKey).catch((error: unknown) => {
      this.#logger.warn({ msg: 'the object of a discarded chunk will be deleted by the job', err: error });
    });
  }
}

/** Wipes the file key before it returns; the stream has a derived key of this attempt, which it wipes itself. */
function seal({ upload, wrappedKey, chunk, checksum }: NextChunk, secret: Buffer): SealedChunk {
  const fileKey = unwrapFileKey(secret, upload.file, { holder: 'upload' }, wrappedKey);
  try {
    return sealChunk(fileKey, upload.file, chunk, { checksum, ownsInput: true }); // of Node's HTTP parser
  } finally {
    fileKey.fill(0);
  }
}

/** A chunk is never slow to others: the minimal rate of uploads holds always. */
function endableOf(body: BodyPipe): EndableTransfer {
  return {
    get progressBytes() {
      return body.receivedBytes;
    },
    isSlow: () => false,
    end: () => body.endForOthers(),
  };
}

function toClientError(error: unknown, { bytes }: NextChunk): unknown {
  if (!(error instanceof Interrupted)) return error;
  if (error.cause instanceof WrongChunkLength) return wrongChunkLength(bytes);
  if (error.cause instanceof WrongChecksum) return wrongChecksum();
  return error.cause instanceof ConnectionClosed ? error.cause : error;
}
