import { Injectable, Logger } from '@nestjs/common';
import { sealChunk, sealedChunkBytes, unwrapFileKey, WrongChunkLength } from '@vaultsvc/crypto/container';
import type { SealedChunk } from '@vaultsvc/crypto/container';
import { ConnectionClosed } from '@vaultsvc/http';
import { Interrupted, Objects, Unavailable } from '@vaultsvc/objects';
import type { Exchange } from '../server/exchange.js';
import { wrongChunkLength } from '../tus/requests.js';
import { pipeBody } from './upload-body.js';
import { objectKeyOf } from './object-key.js';
import { UploadTimeouts } from './upload-timeouts.js';
import type { Upload } from './upload.js';
import type { StoredChunk } from './upload.repository.js';

/** What an upload needs of its row to take another chunk. */
export interface NextChunk {
  readonly upload: Upload;
  readonly wrappedKey: Buffer;
  readonly chunk: number;
  readonly bytes: number;
}

/** Takes the bytes of chunks in: sealed while they pass, and stored whole or not at all. */
@Injectable()
export class ChunkReceiver {
  readonly #logger = new Logger('uploads');

  constructor(
    private readonly objects: Objects,
    private readonly pace: UploadTimeouts,
  ) {}

  /**
   * Receives exactly one chunk. Every attempt has a key and an object of its own. Throws VALIDATION_ERROR for a body of
   * another length, `ConnectionClosed`, and what the object store throws; then nothing is kept.
   */
  async receive(exchange: Exchange, next: NextChunk, secret: Buffer): Promise<StoredChunk> {
    const { file } = next.upload;
    const { row, stream } = seal(next, secret);
    const objectKey = objectKeyOf(file.versionId, row);
    const end = pipeBody(exchange, stream, this.pace);
    try {
      await this.objects.put(objectKey, stream, sealedChunkBytes(file.bytes, row.chunk));
      return { row, objectKey };
    } catch (error) {
      // A store that did not answer may have kept it.
      if (error instanceof Unavailable) await this.discard(objectKey);
      throw refusalOf(error, next);
    } finally {
      end();
    }
  }

  /** Of an attempt that came to nothing. What cannot be deleted now is swept later (see ending/). */
  async discard(objectKey: string): Promise<void> {
    await this.objects.delete(objectKey).catch((error: unknown) => {
      this.#logger.warn({ msg: 'the object of a lost chunk is left to the sweep', err: error });
    });
  }
}

/** The file's key lives no longer than this: the stream has a key of the attempt alone, and wipes it. */
function seal({ upload, wrappedKey, chunk }: NextChunk, secret: Buffer): SealedChunk {
  const fileKey = unwrapFileKey(secret, upload.file, { holder: 'upload' }, wrappedKey);
  try {
    return sealChunk(fileKey, upload.file, chunk);
  } finally {
    fileKey.fill(0);
  }
}

function refusalOf(error: unknown, { bytes }: NextChunk): unknown {
  if (!(error instanceof Interrupted)) return error;
  if (error.cause instanceof WrongChunkLength) return wrongChunkLength(bytes);
  return error.cause instanceof ConnectionClosed ? error.cause : error;
}
