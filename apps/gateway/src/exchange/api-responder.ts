import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { StreamPart } from '@vaultsvc/contracts';
import {
  ConnectionClosed,
  Cors,
  dataHeaders,
  framedHeaders,
  JSON_CONTENT_TYPE,
  securityHeaders,
  sendResponse,
  successBody,
  type RawHeaders,
} from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import { IDEMPOTENCY_KEY, IDEMPOTENT_REPLAYED } from './idempotency-key.js';
import type { Exchange } from './exchange.js';
import { ErrorResponseFactory, type ErrorResponse } from './error-response-factory.js';
import { RequestLogger } from './request-logger.js';
import { ignoredHeaders, metaOf, rateLimitHeaders } from './response-meta.js';

/** OPEN-54. */
const corsHeaders = {
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'X-API-Key',
    'X-VK-Client',
    'X-Vault-Access-Token',
    'X-Request-Id',
    IDEMPOTENCY_KEY,
  ],
  exposeHeaders: [
    'X-Request-Id',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'X-Ignored',
    'Allow',
    'WWW-Authenticate',
    IDEMPOTENT_REPLAYED,
  ],
};
const contentType: RawHeaders = ['Content-Type', JSON_CONTENT_TYPE];
/** The export of the audit log is saved as a file (AUD-15). */
const linesHeaders: RawHeaders = [
  'Content-Type',
  'application/x-ndjson',
  'Content-Disposition',
  'attachment; filename="audit-log.jsonl"',
];
/** AUD-15. */
const csvHeaders: RawHeaders = [
  'Content-Type',
  'text/csv; charset=utf-8; header=present',
  'Content-Disposition',
  'attachment; filename="audit-log.csv"',
];
const PAGE_MAX_AGE_SECONDS = 300;

/** The content security policy of a document that loads and runs nothing. */
export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers of a document without an envelope: its content security policy and its cache lifetime. */
function documentHeaders(policy: string, maxAgeSeconds: number | null, isImmutable = false): RawHeaders {
  const lifetime = `public, max-age=${maxAgeSeconds}${isImmutable ? ', immutable' : ''}`;
  const cache = maxAgeSeconds === null ? 'no-store' : lifetime;
  return ['Content-Security-Policy', policy, 'Cache-Control', cache];
}

/** At the end of the session of a browser also what pages of this origin have stored for the person is cleared. */
function cookieHeaders({ setCookie }: Exchange, hasEnded: boolean): RawHeaders {
  if (setCookie === undefined) return [];
  return ['Set-Cookie', setCookie, ...(hasEnded ? ['Clear-Site-Data', '"storage"'] : [])];
}

/** A program to install is saved under its name (PKG-03). */
function entityHeaders({ etag, fileName }: Pick<PageForm, 'etag' | 'fileName'>): RawHeaders {
  return [
    ...(etag === undefined ? [] : ['ETag', etag]),
    ...(fileName === undefined ? [] : ['Content-Disposition', `attachment; filename="${fileName}"`]),
  ];
}

/** Whether the client has the document already (RFC 9110, 13.1.2). */
function isUnchanged({ headers }: IncomingMessage, etag: string | undefined): boolean {
  const known = headers['if-none-match'];
  if (etag === undefined || known === undefined) return false;
  return known.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** How a document of the gateway itself is sent. */
export interface PageForm {
  readonly contentType: string;
  readonly policy: string;
  /** 200 by default. */
  readonly status?: number;
  /** How long it may be cached, 5 minutes by default; null: never. */
  readonly maxAgeSeconds?: number | null;
  /** Whether its URL never has another content, so that browsers do not ask again (RFC 8246). */
  readonly isImmutable?: boolean;
  /** Whether pages of other origins may show it in a frame: those that `frame-ancestors` of its policy names. */
  readonly isFramed?: boolean;
  /** Whether scripts of any origin may read it; only for what is the same for everybody. */
  readonly isForAnyOrigin?: boolean;
  /** The coding of the body, which depends on the request. */
  readonly encoding?: 'br' | 'gzip' | undefined;
  /** A strong entity tag, in quotes: a request that names it in `If-None-Match` gets 304. */
  readonly etag?: string;
  /** The name by which a browser saves it. */
  readonly fileName?: string;
}

/** Sends and logs every response of the API's origin. */
@Injectable()
export class ApiResponder {
  readonly #cors: Cors;

  constructor(
    private readonly config: GatewayConfig,
    private readonly log: RequestLogger,
    private readonly errors: ErrorResponseFactory,
  ) {
    this.#cors = new Cors({ ...corsHeaders, origins: config.CORS_ORIGINS });
  }

  /** Sends the reply of an operation, in the envelope unless the contract says `bare`. */
  sendSuccess(exchange: Exchange, data: Uint8Array): void {
    const { http, bare, session, maxAgeSeconds } = exchange.operation as NonNullable<Exchange['operation']>;
    const cookie = cookieHeaders(exchange, session === 'ends');
    if (http.status === 204) return this.#send(exchange, 204, [...dataHeaders, ...cookie]);
    if (bare) {
      const headers = [
        ...securityHeaders,
        ...documentHeaders(NO_CONTENT_POLICY, maxAgeSeconds ?? null),
        ...(data.length > 0 ? contentType : []),
      ];
      return this.#send(exchange, http.status, headers, Buffer.from(data));
    }
    const body = successBody(data, metaOf(exchange, this.config.BUILD_VERSION));
    const replayed = exchange.isReplayed ? [IDEMPOTENT_REPLAYED, 'true'] : [];
    this.#send(exchange, http.status, [...dataHeaders, ...contentType, ...cookie, ...replayed], body);
  }

  /**
   * Sends a stream of JSON Lines, or of the records of a CSV file, as a download. It starts with the first part, so that an error before it is an error response;
   * after a later one the connection is cut, so that nobody takes the beginning for the whole.
   */
  async sendLines(exchange: Exchange, parts: AsyncGenerator<StreamPart, void, void>): Promise<void> {
    const first = await parts.next();
    const type = first.value?.format === 'csv' ? csvHeaders : linesHeaders;
    const { response } = exchange;
    response.writeHead(200, [...dataHeaders, ...type, ...this.#commonHeaders(exchange)] as string[]);
    const lines = async function* () {
      if (first.value) yield first.value.lines;
      for await (const { lines: text } of parts) yield text;
    };
    try {
      await pipeline(lines, response);
      this.log.logResponse(exchange, 200);
    } catch (error) {
      this.log.logCutStream(exchange, error);
    }
  }

  sendError(exchange: Exchange, thrown: unknown): void {
    if (thrown instanceof ConnectionClosed) return this.log.logDisconnect(exchange);
    const refusal = this.errors.create(exchange, thrown);
    this.#send(exchange, refusal.error.status, [...dataHeaders, ...refusal.headers], refusal.body, refusal);
  }

  /** Sends a public document of the gateway itself, with its own content security policy. */
  sendPage(
    exchange: Exchange,
    {
      contentType: type,
      policy,
      maxAgeSeconds = PAGE_MAX_AGE_SECONDS,
      isImmutable = false,
      isFramed = false,
      isForAnyOrigin = false,
      status = 200,
      ...form
    }: PageForm,
    body: Buffer,
  ): void {
    const security = isFramed ? framedHeaders : securityHeaders;
    // OPEN-56: compressed for clients that accept it.
    const encoding = form.encoding ? ['Content-Encoding', form.encoding] : [];
    // OPEN-56: a cache keeps one for each coding.
    const vary = 'encoding' in form ? ['Vary', 'Accept-Encoding'] : [];
    const always = [
      ...security,
      ...documentHeaders(policy, maxAgeSeconds, isImmutable),
      ...entityHeaders(form),
      ...vary,
      // The document that shows files has an opaque origin (WEB-11).
      ...(isForAnyOrigin ? ['Access-Control-Allow-Origin', '*'] : []),
    ];
    if (isUnchanged(exchange.request, form.etag)) return this.#send(exchange, 304, always);
    this.#send(exchange, status, [...always, 'Content-Type', type, ...encoding], body);
  }

  /** Sends a browser to a page of this origin, by GET (RFC 9110, 15.4.4). */
  sendRedirect(exchange: Exchange, location: string): void {
    this.#send(exchange, 303, [...dataHeaders, 'Location', location, 'Vary', 'Accept']);
  }

  /** Sends 204 without authentication and without counting the request (OPEN-54). */
  sendPreflight(exchange: Exchange): void {
    const { request, response, requestId } = exchange;
    sendResponse(request, response, 204, [
      ...dataHeaders,
      'X-Request-Id',
      requestId,
      ...this.#cors.preflightHeaders(request.headers.origin),
    ]);
    this.log.logResponse(exchange, 204);
  }

  #send(
    exchange: Exchange,
    status: number,
    headers: RawHeaders,
    body?: Buffer,
    refusal?: ErrorResponse,
  ): void {
    const { request, response } = exchange;
    sendResponse(request, response, status, [...headers, ...this.#commonHeaders(exchange, refusal)], body);
    this.log.logResponse(exchange, status, refusal?.error);
  }

  /** Request id, limit, ignored names and origins, of every response. */
  #commonHeaders(exchange: Exchange, refusal?: ErrorResponse): RawHeaders {
    const { request, requestId, window } = exchange;
    return [
      'X-Request-Id',
      requestId,
      ...rateLimitHeaders(refusal ? refusal.window : window),
      ...ignoredHeaders(exchange),
      ...this.#cors.responseHeaders(request.headers.origin),
    ];
  }
}
