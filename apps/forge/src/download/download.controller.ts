import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head, Req, Res } from '@nestjs/common';
import { istkSecretOf } from '../istk/istk.js';
import { exchanges } from '../exchange/forge-exchange.js';
import { ContentDescriber } from './content-describer.js';
import { DownloadSender } from './download-sender.js';

/** Downloads (FRG-18 to FRG-21). */
@Controller('decrypt')
export class DownloadController {
  constructor(
    private readonly sender: DownloadSender,
    private readonly describer: ContentDescriber,
  ) {}

  /** Declared before GET, to which Express would route HEAD, consuming the ISTK. */
  @Head()
  async describe(@Req() request: IncomingMessage, @Res() _response: ServerResponse): Promise<void> {
    await this.describer.describe(exchanges.of(request));
  }

  @Get()
  async read(@Req() request: IncomingMessage, @Res() _response: ServerResponse): Promise<void> {
    await this.sender.send(exchanges.of(request), istkSecretOf(request));
  }
}
