import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Head, Req, Res } from '@nestjs/common';
import { AppError, validationError } from '@vaultsvc/contracts';
import { lookupHash, parseBearer } from '@vaultsvc/crypto/tokens';
import { JSON_CONTENT_TYPE } from '@vaultsvc/http';
import { istksInQuery } from '../istk/istk.js';
import { ProgressRepository, type Progress } from './progress.repository.js';

/** The progress of the transfer of an ISTK, without consuming the ISTK (FRG-22, FRG-23). */
@Controller('progress')
export class ProgressController {
  constructor(private readonly progress: ProgressRepository) {}

  /** Declared before GET, to which Express would route HEAD. Answers 200 for any request (AMB-42). */
  @Head()
  probe(@Res() response: ServerResponse): void {
    response.end();
  }

  @Get()
  async read(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const progress = await this.#find(onlyIstkOf(request));
    response.setHeader('Content-Type', JSON_CONTENT_TYPE);
    response.end(JSON.stringify({ success: true, progress }));
  }

  async #find(istk: string): Promise<Progress> {
    const bytes = parseBearer(istk);
    const progress = bytes && (await this.progress.find(lookupHash('istk', bytes)));
    if (!progress) throw new AppError('NOT_FOUND');
    return progress;
  }
}

/** The ISTK, which must be given once and in the query (FRG-22). */
function onlyIstkOf(request: IncomingMessage): string {
  const [istk, ...others] = istksInQuery(request);
  if (istk !== undefined && istk !== '' && others.length === 0) return istk;
  throw validationError({ field: 'istk', message: 'must be given once, in the query' });
}
