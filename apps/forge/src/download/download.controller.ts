import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head, Req, Res } from '@nestjs/common';
import { istkSecretOf } from '../istk/istk.js';
import { exchanges } from '../server/exchange.js';
import { DownloadSender } from './download-sender.js';

/** Downloads (FRG-18 to FRG-21). */
@Controller('decrypt')
export class DownloadController {
  constructor(private readonly download: DownloadSender) {}

  /** Before GET, to which Express would send it and consume the ISTK. Tells nothing, of no ISTK (AMB-42). */
  @Head()
  probe(@Res() response: ServerResponse): void {
    response.end();
  }

  @Get()
  async read(@Req() request: IncomingMessage, @Res() _response: ServerResponse): Promise<void> {
    await this.download.send(exchanges.of(request), istkSecretOf(request));
  }
}
