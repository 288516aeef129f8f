import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Head, Post, Req, Res } from '@nestjs/common';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import { sendResponse } from '@vaultsvc/http';
import { istkSecretOf } from '../istk/istk.js';
import { exchanges } from '../exchange/forge-exchange.js';
import { assertTusVersion, uploadLengthOf } from '../tus/requests.js';
import { assertEmptyBody } from './upload-body.js';
import { UploadCreator } from './upload-creator.js';

/** Creates uploads (FRG-04 to FRG-07). The order of the checks is that of AMB-13. */
@Controller()
export class CreateUploadController {
  constructor(private readonly creator: UploadCreator) {}

  @Post('encrypt')
  async create(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const exchange = exchanges.of(request);
    assertTusVersion(exchange);
    const bytes = uploadLengthOf(request);
    const istk = istkSecretOf(request);
    await assertEmptyBody(exchange);
    const upload = await this.creator.create(istk, bytes);
    exchange.accountId = upload.accountId;
    sendResponse(request, response, 201, [
      ...['Location', `/encrypt/${upload.uploadId}`], // without the query: the ISTK is consumed
      ...['Upload-Offset', '0', 'Upload-Length', String(bytes)],
      ...['X-Chunk-Size', String(CHUNK_BYTES), 'Content-Length', '0'],
    ]);
  }

  /** Answers 200 for any request, without reading an ISTK (AMB-42). */
  @Head('encrypt')
  describe(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    sendResponse(request, response, 200, []);
  }
}
