import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import { CallerGone, JSON_CONTENT_TYPE, respond, type Headers } from '@vaultsvc/http';
import { rateLimitHeaders } from '../answer/rate-limit-headers.js';
import { Refusals } from '../answer/refusals.js';
import { RequestLog } from '../answer/request-log.js';
import type { Exchange } from '../server/exchange.js';
import { linkDataHeaders, linkHeaders } from './link-headers.js';

/** What is sent to a visitor as it is. */
export interface LinkDocument {
  readonly body: Buffer;
  /** Of its content: type and policy. */
  readonly headers: Headers;
}

/** Writes every answer of link pages' origins. None of them is for pages of other origins, so there is no CORS. */
@Injectable()
export class LinkAnswers {
  constructor(
    private readonly refusals: Refusals,
    private readonly log: RequestLog,
  ) {}

  /** The reply of an operation, which is the whole body (OPEN-23). */
  success(exchange: Exchange, data: Uint8Array): void {
    const headers = [...linkDataHeaders, 'Content-Type', JSON_CONTENT_TYPE];
    this.#write(exchange, exchange.operation?.http.status ?? 200, headers, Buffer.from(data));
  }

  failure(exchange: Exchange, thrown: unknown): void {
    if (thrown instanceof CallerGone) return this.log.abandoned(exchange);
    const { error, headers, body } = this.refusals.of(exchange, thrown);
    this.#write(exchange, error.status, [...linkDataHeaders, ...headers], body, error);
  }

  /** To a HEAD what a GET would be told, without the body. */
  document(exchange: Exchange, { body, headers }: LinkDocument): void {
    this.#write(exchange, 200, [...linkHeaders, ...headers], body);
  }

  /** To OPTIONS: pages of other origins read here that they may do nothing. */
  nothing(exchange: Exchange): void {
    this.#write(exchange, 204, linkDataHeaders);
  }

  #write(exchange: Exchange, status: number, headers: Headers, body?: Buffer, error?: AppError): void {
    const { request, response, requestId, window } = exchange;
    const own = ['X-Request-Id', requestId, ...rateLimitHeaders(window)];
    respond(request, response, status, [...headers, ...own], body);
    this.log.answered(exchange, status, error);
  }
}
