import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Param, Patch, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { CHUNK_BYTES, chunkBytes } from '@vaultsvc/crypto/container';
import { sendResponse } from '@vaultsvc/http';
import { bytesIn } from '../exchange/transferred-bytes.js';
import { exchanges, type ForgeExchange } from '../exchange/forge-exchange.js';
import { assertChunkLength, chunkOffsetOf, assertTusVersion } from '../tus/requests.js';
import { VersionActivator } from './version-activator.js';
import { ChunkReceiver, type NextChunk } from './chunk-receiver.js';
import { type ChunkRace, ChunkRaces } from './chunk-races.js';
import { ChunkConcurrencyLimit } from './chunk-concurrency-limit.js';
import { type Upload, type UploadSecret, uploadSecretOf } from './upload.js';
import { type StoredChunk, UploadRepository } from './upload.repository.js';

/**
 * Receives the next chunk of an upload (FRG-08 to FRG-13). It stores the object first; then one statement commits the
 * chunk. No state is kept in the process: any instance may receive the next chunk, and a process that dies loses only
 * bytes that it had not acknowledged.
 */
@Controller()
export class AppendChunkController {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly races: ChunkRaces,
    private readonly limit: ChunkConcurrencyLimit,
    private readonly receiver: ChunkReceiver,
    private readonly activator: VersionActivator,
  ) {}

  @Patch('encrypt/:uploadId')
  async append(
    @Param('uploadId') uploadId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const exchange = exchanges.of(request);
    assertTusVersion(exchange);
    const offset = chunkOffsetOf(request);
    const secret = uploadSecretOf(uploadId);
    const bytes = await this.races.join(secret.lookup, offset, (race) =>
      this.#append(exchange, secret, offset, race),
    );
    sendResponse(request, response, 204, ['Upload-Offset', String(offset + bytes)]);
  }

  /** Returns the length of the chunk. */
  async #append(
    exchange: ForgeExchange,
    upload: UploadSecret,
    offset: number,
    race: ChunkRace,
  ): Promise<number> {
    const found = await this.uploads.find(upload.lookup);
    if (!found) throw new AppError('UPLOAD_NOT_FOUND');
    exchange.accountId = found.file.accountId;
    const next = nextChunkOf(found, offset, race);
    assertChunkLength(exchange.request, next.bytes);
    await this.#receive(exchange, next, upload.secret, race);
    return next.bytes;
  }

  async #receive(exchange: ForgeExchange, next: NextChunk, secret: Buffer, race: ChunkRace): Promise<void> {
    const stored = await this.limit
      .run(exchange, next.upload.file.accountId, (permit) =>
        this.receiver.receive(exchange, next, secret, permit),
      )
      .finally(() => secret.fill(0));
    race.isDecided = true;
    await this.#commit(next.upload, stored, exchange.requestId);
  }

  async #commit(upload: Upload, stored: StoredChunk, requestId: string): Promise<void> {
    const outcome = await this.uploads.commit(upload, stored, requestId);
    if (outcome === 'finalized') await this.activator.activate(upload.file, requestId);
    if (outcome === 'stored' || outcome === 'finalized') return bytesIn.inc(stored.row.bytes);
    await this.receiver.discard(upload, stored, requestId);
    throw new AppError(outcome === 'ended' ? 'UPLOAD_NOT_FOUND' : 'UPLOAD_OFFSET_TAKEN');
  }
}

/**
 * Throws for another offset than the upload's. tus answers it with 409; here 409 is for the losers of a race, and 400 for
 * an offset that was wrong before it (FRG-08, AMB-26).
 */
function nextChunkOf(upload: Upload, offset: number, { isDecided }: ChunkRace): NextChunk {
  const { file, offsetBytes, wrappedKey } = upload;
  if (offset < offsetBytes && isDecided) throw new AppError('UPLOAD_OFFSET_TAKEN');
  if (offset !== offsetBytes) throw offsetWrong(`must be ${offsetBytes}`, offsetBytes);
  if (!wrappedKey) throw offsetWrong('is the end of this upload, which is complete', offsetBytes);
  const chunk = offset / CHUNK_BYTES;
  return { upload, wrappedKey, chunk, bytes: chunkBytes(file.bytes, chunk) };
}

function offsetWrong(message: string, offsetBytes: number): AppError {
  const fields = [{ field: 'Upload-Offset', message }];
  return new AppError('VALIDATION_ERROR', { fields, upload_offset: offsetBytes });
}
