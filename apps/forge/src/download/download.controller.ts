import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head, Req, Res } from '@nestjs/common';
import { istkOf } from '../istk/istk-of-request.js';
import { exchanges } from '../server/exchange.js';
import { SendDownload } from './send-download.js';

/** Downloads (FRG-18 to FRG-21). */
@Controller('decrypt')
export class DownloadController {
  constructor(private readonly download: SendDownload) {}

  /** Before GET, to which Express would send it and consume the ISTK. Tells nothing, of no ISTK (AMB-42). */
  @Head()
  probe(@Res() response: ServerResponse): void {
    response.end();
  }

  @Get()
  async read(@Req() request: IncomingMessage, @Res() _response: ServerResponse): Promise<void> {
    await this.download.send(exchanges.of(request), istkOf(request));
  }
}
