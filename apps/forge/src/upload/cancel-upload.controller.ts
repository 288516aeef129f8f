import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Param, Req, Res } from '@nestjs/common';
import { sendResponse } from '@vaultsvc/http';
import { UploadLifecycle } from '../cleanup/upload-lifecycle.js';
import { exchanges } from '../server/exchange.js';
import { assertTusVersion } from '../tus/requests.js';
import { uploadSecretOf } from './upload.js';

/** Gives an upload up (FRG-15). A finished one stays as it is (FRG-17). */
@Controller()
export class CancelUploadController {
  constructor(private readonly ends: UploadLifecycle) {}

  @Delete('encrypt/:uploadId')
  async cancel(
    @Param('uploadId') uploadId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const exchange = exchanges.of(request);
    assertTusVersion(exchange, { mayBeSilent: true });
    await this.ends.cancel(uploadSecretOf(uploadId).lookup, exchange.requestId);
    sendResponse(request, response, 204, []);
  }
}
