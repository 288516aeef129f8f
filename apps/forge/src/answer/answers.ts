import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { appErrorOf, CallerGone, errorBody, JSON_CONTENT_TYPE, respond } from '@vaultsvc/http';
import { RateLimitExceeded, retryAfterSeconds } from '@vaultsvc/limits';
import { ForgeConfig } from '../config.js';
import type { Exchange } from '../server/exchange.js';
import { Refusals } from './refusals.js';
import { RequestLog } from './request-log.js';

/** Writes every refusal, and sees every exchange to its end. Successes are bare and written by their routes (OPEN-14). */
@Injectable()
export class Answers {
  constructor(
    private readonly config: ForgeConfig,
    private readonly log: RequestLog,
    private readonly refusals: Refusals,
  ) {}

  /** Logs the exchange when its answer is out, or when its connection is gone. */
  follow(exchange: Exchange): void {
    exchange.response.once('close', () => this.log.ended(exchange));
  }

  failure(exchange: Exchange, thrown: unknown): void {
    const { response } = exchange;
    if (thrown instanceof CallerGone) return void response.destroy();
    const error = appErrorOf(thrown);
    // What has begun cannot be taken back: a cut shows, because the length was announced.
    if (response.headersSent) {
      this.log.refused(exchange, error);
      return void response.destroy();
    }
    if (!this.refusals.isLimited(error)) return this.#refuse(exchange, error);
    this.refusals.limit(error, exchange.caller.ip).then(
      (limited) => this.#refuse(exchange, limited),
      (failure: unknown) => this.#refuse(exchange, appErrorOf(failure)),
    );
  }

  #refuse(exchange: Exchange, error: AppError): void {
    const { request, response, requestId } = exchange;
    this.log.refused(exchange, error);
    const retry = error instanceof RateLimitExceeded ? ['Retry-After', String(retryAfterSeconds(error))] : [];
    const headers = ['Content-Type', JSON_CONTENT_TYPE, ...retry];
    const body = errorBody(error, this.config.BUILD_VERSION, requestId);
    respond(request, response, error.status, headers, request.method === 'HEAD' ? undefined : body);
  }
}
