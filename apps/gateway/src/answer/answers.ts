import { Injectable } from '@nestjs/common';
import type { AppError } from '@vaultsvc/contracts';
import {
  CallerGone,
  Cors,
  dataHeaders,
  JSON_CONTENT_TYPE,
  respond,
  securityHeaders,
  successBody,
  type Headers,
} from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import type { Exchange } from '../server/exchange.js';
import { metaOf } from './meta.js';
import { rateLimitHeaders } from './rate-limit-headers.js';
import { Refusals } from './refusals.js';
import { RequestLog } from './request-log.js';

/** OPEN-54. */
const corsLists = {
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'X-API-Key',
    'X-VK-Client',
    'X-Vault-Access-Token',
    'X-Request-Id',
  ],
  exposeHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
};
const contentType: Headers = ['Content-Type', JSON_CONTENT_TYPE];
const PAGE_MAX_AGE_SECONDS = 300;

/** A browser that is made to show such a document runs and loads nothing. */
export const NOTHING_LOADS = "default-src 'none'; frame-ancestors 'none'";

/** Of a document without an envelope: what it may load, and how long anyone may keep it. */
function policyHeaders(policy: string, maxAgeSeconds: number | undefined): Headers {
  const cache = maxAgeSeconds === undefined ? 'no-store' : `public, max-age=${maxAgeSeconds}`;
  return ['Content-Security-Policy', policy, 'Cache-Control', cache];
}

/** Writes every answer of the API: headers, envelope, and its line in the log. */
@Injectable()
export class Answers {
  readonly #cors: Cors;

  constructor(
    private readonly config: GatewayConfig,
    private readonly log: RequestLog,
    private readonly refusals: Refusals,
  ) {
    this.#cors = new Cors({ ...corsLists, origins: config.CORS_ORIGINS });
  }

  success(exchange: Exchange, data: Uint8Array): void {
    const { http, bare, maxAgeSeconds } = exchange.operation as NonNullable<Exchange['operation']>;
    const cookie = exchange.setCookie === undefined ? [] : ['Set-Cookie', exchange.setCookie];
    if (http.status === 204) return this.#write(exchange, 204, [...dataHeaders, ...cookie]);
    if (bare) {
      const headers = [...securityHeaders, ...policyHeaders(NOTHING_LOADS, maxAgeSeconds), ...contentType];
      return this.#write(exchange, http.status, headers, Buffer.from(data));
    }
    const body = successBody(data, metaOf(exchange, this.config.BUILD_VERSION));
    this.#write(exchange, http.status, [...dataHeaders, ...contentType, ...cookie], body);
  }

  failure(exchange: Exchange, thrown: unknown): void {
    if (thrown instanceof CallerGone) return this.log.abandoned(exchange);
    const { error, headers, body } = this.refusals.of(exchange, thrown);
    this.#write(exchange, error.status, [...dataHeaders, ...headers], body, error);
  }

  /** A public document of the gateway's own, with the content policy that it needs. */
  page(
    exchange: Exchange,
    { contentType: type, policy }: { contentType: string; policy: string },
    body: Buffer,
  ): void {
    const headers = [
      ...securityHeaders,
      ...policyHeaders(policy, PAGE_MAX_AGE_SECONDS),
      'Content-Type',
      type,
    ];
    this.#write(exchange, 200, headers, body);
  }

  /** 204 before authentication, never counted (OPEN-54). */
  preflight(exchange: Exchange): void {
    const { request, response, requestId } = exchange;
    respond(request, response, 204, [
      ...dataHeaders,
      'X-Request-Id',
      requestId,
      ...this.#cors.preflight(request.headers.origin),
    ]);
    this.log.answered(exchange, 204);
  }

  #write(exchange: Exchange, status: number, headers: Headers, body?: Buffer, error?: AppError): void {
    const { request, response, requestId, window } = exchange;
    const own = [
      'X-Request-Id',
      requestId,
      ...rateLimitHeaders(window),
      ...this.#cors.answer(request.headers.origin),
    ];
    respond(request, response, status, [...headers, ...own], body);
    this.log.answered(exchange, status, error);
  }
}
