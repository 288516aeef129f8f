import { Inject, Injectable } from '@nestjs/common';
import { appErrorOf, CallerGone, errorBody, JSON_CONTENT_TYPE, respond } from '@vaultsvc/http';
import { ForgeConfig } from '../config.js';
import type { Exchange } from '../server/exchange.js';
import { RequestLog } from './request-log.js';

/** Writes every refusal, and sees every exchange to its end. Successes are bare and written by their routes (OPEN-14). */
@Injectable()
export class Answers {
  constructor(
    @Inject(ForgeConfig) private readonly config: ForgeConfig,
    @Inject(RequestLog) private readonly log: RequestLog,
  ) {}

  /** Logs the exchange when its answer is out, or when its connection is gone. */
  follow(exchange: Exchange): void {
    exchange.response.once('close', () => this.log.ended(exchange));
  }

  failure(exchange: Exchange, thrown: unknown): void {
    const { request, response, requestId } = exchange;
    if (thrown instanceof CallerGone) return void response.destroy();
    const error = appErrorOf(thrown);
    this.log.refused(exchange, error);
    // What has begun cannot be taken back: a cut shows, because the length was announced.
    if (response.headersSent) return void response.destroy();
    const body = errorBody(error, this.config.BUILD_VERSION, requestId);
    const isHead = request.method === 'HEAD';
    respond(request, response, error.status, ['Content-Type', JSON_CONTENT_TYPE], isHead ? undefined : body);
  }
}
