import { Injectable } from '@nestjs/common';
import {
  ConnectionClosed,
  JSON_CONTENT_TYPE,
  securityHeaders,
  sendResponse,
  type RawHeaders,
} from '@vaultsvc/http';
import { NO_CONTENT_POLICY } from '../exchange/api-responder.js';
import { ErrorResponseFactory, type ErrorResponse } from '../exchange/error-response-factory.js';
import { RequestLogger } from '../exchange/request-logger.js';
import { ignoredHeaders, rateLimitHeaders } from '../exchange/response-meta.js';
import type { Exchange } from '../exchange/exchange.js';

/** A static document of the link pages' origins. */
export interface LinkDocument {
  readonly body: Buffer;
  /** Content type and content security policy. */
  readonly headers: RawHeaders;
}

/**
 * Headers of every response of link pages' origins, to keep the content of a link with its visitor: no cache stores it,
 * no search engine lists it, no window of another origin keeps a reference, and no other site receives a referrer.
 */
const linkHeaders: RawHeaders = [
  ...securityHeaders,
  'Cache-Control',
  'no-store, private',
  'X-Robots-Tag',
  'noindex, nofollow, noarchive',
  'Cross-Origin-Opener-Policy',
  'same-origin',
];

/** Headers of responses with data: a browser that shows one runs and loads nothing. */
export const linkDataHeaders: RawHeaders = [...linkHeaders, 'Content-Security-Policy', NO_CONTENT_POLICY];

/** Sends and logs every response of link pages' origins. Pages of other origins may read none, so there is no CORS. */
@Injectable()
export class LinkResponder {
  constructor(
    private readonly errors: ErrorResponseFactory,
    private readonly log: RequestLogger,
  ) {}

  /** Sends the reply of an operation as the whole body (OPEN-23). */
  sendSuccess(exchange: Exchange, data: Uint8Array): void {
    const headers = [...linkDataHeaders, 'Content-Type', JSON_CONTENT_TYPE];
    this.#send(exchange, exchange.operation?.http.status ?? 200, headers, Buffer.from(data));
  }

  sendError(exchange: Exchange, thrown: unknown): void {
    if (thrown instanceof ConnectionClosed) return this.log.logDisconnect(exchange);
    const refusal = this.errors.create(exchange, thrown);
    this.#send(
      exchange,
      refusal.error.status,
      [...linkDataHeaders, ...refusal.headers],
      refusal.body,
      refusal,
    );
  }

  /** Sends a document; Node omits the body in the response to a HEAD. */
  sendDocument(exchange: Exchange, { body, headers }: LinkDocument): void {
    this.#send(exchange, 200, [...linkHeaders, ...headers], body);
  }

  /** Answers OPTIONS without CORS headers, which allows pages of other origins nothing. */
  sendPreflight(exchange: Exchange): void {
    this.#send(exchange, 204, linkDataHeaders);
  }

  #send(
    exchange: Exchange,
    status: number,
    headers: RawHeaders,
    body?: Buffer,
    refusal?: ErrorResponse,
  ): void {
    const { request, response, requestId } = exchange;
    const own = [
      'X-Request-Id',
      requestId,
      ...rateLimitHeaders((refusal ?? exchange).window),
      ...ignoredHeaders(exchange),
    ];
    sendResponse(request, response, status, [...headers, ...own], body);
    this.log.logResponse(exchange, status, refusal?.error);
  }
}
