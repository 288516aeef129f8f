import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Param, Req, Res } from '@nestjs/common';
import { sendResponse } from '@vaultsvc/http';
import { UploadLifecycle } from '../cleanup/upload-lifecycle.js';
import { exchanges } from '../exchange/forge-exchange.js';
import { assertTusVersion } from '../tus/requests.js';
import { uploadSecretOf } from './upload.js';

/** Cancels an upload (FRG-15), but no finished one (FRG-17). */
@Controller()
export class CancelUploadController {
  constructor(private readonly lifecycle: UploadLifecycle) {}

  @Delete('encrypt/:uploadId')
  async cancel(
    @Param('uploadId') uploadId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const exchange = exchanges.of(request);
    assertTusVersion(exchange, { isOptional: true });
    await this.lifecycle.cancel(uploadSecretOf(uploadId).lookup, exchange.requestId);
    sendResponse(request, response, 204, []);
  }
}
