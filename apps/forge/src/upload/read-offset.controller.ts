import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Head, Logger, Param, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import { ConnectionClosed, sendResponse } from '@vaultsvc/http';
import { exchanges } from '../exchange/forge-exchange.js';
import { assertTusVersion } from '../tus/requests.js';
import { UploadTimeouts } from './upload-timeouts.js';
import { type Upload, uploadSecretOf } from './upload.js';
import { UploadRepository } from './upload.repository.js';

const RETRY_DELAY_MS = 250;
const RETRY_AFTER_SECONDS = '5';

/**
 * Returns the offset of an upload (FRG-14), from which clients resume. tus-js-client forgets an upload after 5xx, and
 * retries after 423. So this waits while the database is down, and then answers 423 (ADR 9).
 */
@Controller()
export class ReadOffsetController {
  readonly #logger = new Logger('uploads');

  constructor(
    private readonly uploads: UploadRepository,
    private readonly timeouts: UploadTimeouts,
  ) {}

  @Head('encrypt/:uploadId')
  async read(
    @Param('uploadId') uploadId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const exchange = exchanges.of(request);
    assertTusVersion(exchange, { isOptional: true });
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
    const end = Date.now() + this.timeouts.offsetTimeoutMs;
    for (;;) {
      try {
        return await this.uploads.find(lookup);
      } catch (error) {
        if (response.destroyed) throw new ConnectionClosed('the caller closed the connection');
        if (Date.now() < end) await delay(RETRY_DELAY_MS);
        else return this.#unavailable(error);
      }
    }
  }

  #unavailable(error: unknown): 'unavailable' {
    this.#logger.error({ msg: 'the offset of an upload cannot be read', err: error });
    return 'unavailable';
  }
}
