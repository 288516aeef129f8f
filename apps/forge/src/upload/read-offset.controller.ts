import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Head, Logger, Param, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import { ConnectionClosed, sendResponse } from '@vaultsvc/http';
import { exchanges } from '../server/exchange.js';
import { assertTusVersion } from '../tus/requests.js';
import { UploadTimeouts } from './upload-timeouts.js';
import { type Upload, uploadSecretOf } from './upload.js';
import { UploadRepository } from './upload.repository.js';

const AGAIN_AFTER_MS = 250;
const RETRY_AFTER_SECONDS = '5';

/**
 * Says where an upload stands (FRG-14). Clients resume by this one: tus-js-client forgets an upload whose HEAD is answered
 * with 5xx, and comes again after 423, so a database that is away is waited for and then called locked (ADR 9).
 */
@Controller()
export class ReadOffsetController {
  readonly #logger = new Logger('uploads');

  constructor(
    private readonly uploads: UploadRepository,
    private readonly pace: UploadTimeouts,
  ) {}

  @Head('encrypt/:uploadId')
  async read(
    @Param('uploadId') uploadId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const exchange = exchanges.of(request);
    assertTusVersion(exchange, { mayBeSilent: true });
    const { lookup } = uploadSecretOf(uploadId);
    const upload = await this.#findInTime(lookup, response);
    if (upload === 'unavailable')
      return sendResponse(request, response, 423, ['Retry-After', RETRY_AFTER_SECONDS]);
    if (!upload) throw new AppError('UPLOAD_NOT_FOUND');
    exchange.accountId = upload.file.accountId;
    sendResponse(request, response, 200, [
      ...['Upload-Offset', String(upload.offsetBytes), 'Upload-Length', String(upload.file.bytes)],
      ...['X-Chunk-Size', String(CHUNK_BYTES)],
    ]);
  }

  async #findInTime(lookup: Buffer, response: ServerResponse): Promise<Upload | undefined | 'unavailable'> {
    const end = Date.now() + this.pace.offsetTimeoutMs;
    for (;;) {
      try {
        return await this.uploads.find(lookup);
      } catch (error) {
        if (response.destroyed) throw new ConnectionClosed('the caller closed the connection');
        if (Date.now() < end) await delay(AGAIN_AFTER_MS);
        else return this.#gaveUp(error);
      }
    }
  }

  #gaveUp(error: unknown): 'unavailable' {
    this.#logger.error({ msg: 'the offset of an upload cannot be read', err: error });
    return 'unavailable';
  }
}
