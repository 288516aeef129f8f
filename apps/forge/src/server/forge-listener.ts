import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  assertFraming,
  assertHttps,
  Cors,
  dataHeaders,
  DnsRebindingGuard,
  ProxyTrust,
  requestTarget,
  sendResponse,
  type RawHeaders,
} from '@vaultsvc/http';
import { ForgeConfig } from '../config.js';
import { ErrorResponder } from '../exchange/error-responder.js';
import { RequestLogger } from '../exchange/request-logger.js';
import { applyMethodOverride } from '../tus/requests.js';
import { corsHeaders, tusCapabilities, tusHeaders } from '../tus/protocol.js';
import { ForgeExchange, exchanges } from '../exchange/forge-exchange.js';
import { PipeliningQueue } from './pipelining-queue.js';

const UPLOADS = /^\/encrypt(\/|$)/;

/** The HTTP server's listener, ahead of all routes: checks the request head, sets common headers, answers preflights. */
@Injectable()
export class ForgeListener {
  readonly #trust: ProxyTrust;
  readonly #cors: Cors;
  readonly #rebinding: DnsRebindingGuard;
  readonly #queue = new PipeliningQueue();

  constructor(
    private readonly config: ForgeConfig,
    private readonly responder: ErrorResponder,
    private readonly log: RequestLogger,
  ) {
    this.#trust = new ProxyTrust(config.TRUSTED_PROXIES);
    const { API_ORIGIN, LINK_ORIGIN, FILES_ORIGIN } = config;
    const origins = [...new Set([...config.CORS_ORIGINS, API_ORIGIN, LINK_ORIGIN, FILES_ORIGIN])];
    this.#cors = new Cors({ ...corsHeaders, origins });
    this.#rebinding = new DnsRebindingGuard(config.PROFILE, [config.FORGE_ORIGIN], origins);
  }

  /** Passes a request on to `routes`, unless it is refused or a preflight request. */
  handle(request: IncomingMessage, response: ServerResponse, routes: RequestListener): void {
    this.#queue.run(request, response, () => this.#handle(request, response, routes));
  }

  #handle(request: IncomingMessage, response: ServerResponse, routes: RequestListener): void {
    const exchange = new ForgeExchange(request, response, this.#trust.callerOf(request));
    exchanges.add(exchange);
    this.log.logOnClose(exchange);
    const isUpload = UPLOADS.test(requestTarget(request.url ?? '').path);
    this.#setHeaders(exchange, isUpload ? tusHeaders : []);
    try {
      assertHttps(exchange.caller, this.config.REQUIRE_HTTPS);
      assertFraming(request);
      this.#rebinding.assertHost(request);
      if (request.method !== 'OPTIONS') this.#rebinding.assertOrigin(request);
      if (isUpload) applyMethodOverride(request);
    } catch (error) {
      return this.responder.sendError(exchange, error);
    }
    if (request.method === 'OPTIONS') return this.#sendPreflight(exchange, isUpload ? tusCapabilities : []);
    exchange.run(() => routes(request, response as ServerResponse & { req: IncomingMessage }));
  }

  #setHeaders({ request, response, requestId }: ForgeExchange, own: RawHeaders): void {
    const cors = this.#cors.responseHeaders(request.headers.origin);
    const common = [...dataHeaders, 'X-Request-Id', requestId, ...cors, ...own];
    for (const [index, name] of common.entries())
      if (index % 2 === 0) response.setHeader(name, common[index + 1] as string);
  }

  /** Before authentication (OPEN-54); for the upload endpoint with the capabilities of tus (FRG-02). */
  #sendPreflight({ request, response }: ForgeExchange, own: RawHeaders): void {
    sendResponse(request, response, 204, [...own, ...this.#cors.preflightHeaders(request.headers.origin)]);
  }
}
