import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Param, Req, Res } from '@nestjs/common';
import { sendResponse } from '@vaultsvc/http';
import { UploadEnds } from '../ending/upload-ends.js';
import { exchanges } from '../server/exchange.js';
import { speakTus } from '../tus/requests.js';
import { uploadSecretOf } from './upload.js';

/** Gives an upload up (FRG-15). A finished one stays as it is (FRG-17). */
@Controller()
export class CancelUpload {
  constructor(private readonly ends: UploadEnds) {}

  @Delete('encrypt/:uploadId')
  async cancel(
    @Param('uploadId') uploadId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const exchange = exchanges.of(request);
    speakTus(exchange, { mayBeSilent: true });
    await this.ends.cancel(uploadSecretOf(uploadId).lookup, exchange.requestId);
    sendResponse(request, response, 204, []);
  }
}
