import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Param, Patch, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sendResponse } from '@vaultsvc/http';
import { bytesIn } from '../exchange/transferred-bytes.js';
import { exchanges, type ForgeExchange } from '../exchange/forge-exchange.js';
import { assertChunkLength, chunkOffsetOf, assertTusVersion } from '../tus/requests.js';
import { checksumOf } from '../tus/upload-checksum.js';
import { VersionActivator } from './version-activator.js';
import { ChunkReceiver } from './chunk-receiver.js';
import { type ChunkRace, ChunkRaces } from './chunk-races.js';
import { ChunkConcurrencyLimit } from './chunk-concurrency-limit.js';
import { assertNothingSent, isAfterEnd, type NextChunk, nextChunkOf, type SentChunk } from './next-chunk.js';
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
    const sent = { offset: chunkOffsetOf(request), checksum: checksumOf(request) };
    const secret = uploadSecretOf(uploadId);
    const bytes = await this.races.join(secret.lookup, sent.offset, (race) =>
      this.#append(exchange, secret, sent, race),
    );
    sendResponse(request, response, 204, ['Upload-Offset', String(sent.offset + bytes)]);
  }

  /** Returns the length of the chunk. */
  async #append(
    exchange: ForgeExchange,
    upload: UploadSecret,
    sent: SentChunk,
    race: ChunkRace,
  ): Promise<number> {
    const found = await this.uploads.find(upload.lookup);
    if (!found) throw new AppError('UPLOAD_NOT_FOUND');
    exchange.accountId = found.file.accountId;
    if (isAfterEnd(found, sent)) {
      await assertNothingSent(exchange, found, sent);
      return 0;
    }
    const next = nextChunkOf(found, sent, race);
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
    if (outcome === 'finalized') await this.activator.activate(upload.file, stored.contentHash, requestId);
    if (outcome === 'stored' || outcome === 'finalized') return bytesIn.inc(stored.row.bytes);
    await this.receiver.discard(upload, stored, requestId);
    throw new AppError(outcome === 'ended' ? 'UPLOAD_NOT_FOUND' : 'UPLOAD_OFFSET_TAKEN');
  }
}
