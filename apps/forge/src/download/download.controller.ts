import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head, Req, Res } from '@nestjs/common';
import { istkSecretOf } from '../istk/istk.js';
import { exchanges } from '../exchange/forge-exchange.js';
import { DownloadSender } from './download-sender.js';

/** Downloads (FRG-18 to FRG-21). */
@Controller('decrypt')
export class DownloadController {
  constructor(private readonly sender: DownloadSender) {}

  /** Declared before GET, to which Express would route HEAD, consuming the ISTK. Reads no ISTK (AMB-42). */
  @Head()
  probe(@Res() response: ServerResponse): void {
    response.end();
  }

  @Get()
  async read(@Req() request: IncomingMessage, @Res() _response: ServerResponse): Promise<void> {
    await this.sender.send(exchanges.of(request), istkSecretOf(request));
  }
}
