import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  assertFraming,
  assertHttps,
  Cors,
  dataHeaders,
  type Headers,
  ProxyTrust,
  respond,
  targetOf,
} from '@vaultsvc/http';
import { Answers } from '../answer/answers.js';
import { ForgeConfig } from '../config.js';
import { takeNamedMethod } from '../tus/named-method.js';
import { corsHeaders, tusCapabilities, tusHeaders } from '../tus/protocol.js';
import { Exchange, rememberExchange } from './exchange.js';
import { Turns } from './turns.js';

const UPLOADS = /^\/encrypt(\/|$)/;

/** What comes before every route: who calls and how, the headers of every answer, and preflights. */
@Injectable()
export class Front {
  readonly #trust: ProxyTrust;
  readonly #cors: Cors;
  readonly #turns = new Turns();

  constructor(
    private readonly config: ForgeConfig,
    private readonly answers: Answers,
  ) {
    this.#trust = new ProxyTrust(config.TRUSTED_PROXIES);
    const origins = [...new Set([...config.CORS_ORIGINS, config.LINK_ORIGIN, config.FILES_ORIGIN])];
    this.#cors = new Cors({ ...corsHeaders, origins });
  }

  /** Answers what no route needs to see, and leaves the rest to `routes`. */
  handle(request: IncomingMessage, response: ServerResponse, routes: RequestListener): void {
    this.#turns.take(request, response, () => this.#begin(request, response, routes));
  }

  #begin(request: IncomingMessage, response: ServerResponse, routes: RequestListener): void {
    const exchange = new Exchange(request, response, this.#trust.callerOf(request));
    rememberExchange(exchange);
    this.answers.follow(exchange);
    const isUpload = UPLOADS.test(targetOf(request.url ?? '').path);
    this.#setHeaders(exchange, isUpload ? tusHeaders : []);
    try {
      assertHttps(exchange.caller, this.config.REQUIRE_HTTPS);
      assertFraming(request);
      if (isUpload) takeNamedMethod(request);
    } catch (error) {
      return this.answers.failure(exchange, error);
    }
    if (request.method === 'OPTIONS') return this.#preflight(exchange, isUpload ? tusCapabilities : []);
    routes(request, response as ServerResponse & { req: IncomingMessage });
  }

  #setHeaders({ request, response, requestId }: Exchange, own: Headers): void {
    const cors = this.#cors.answer(request.headers.origin);
    const common = [...dataHeaders, 'X-Request-Id', requestId, ...cors, ...own];
    for (const [index, name] of common.entries())
      if (index % 2 === 0) response.setHeader(name, common[index + 1] as string);
  }

  /** Before any credential and without one (OPEN-54); of the upload endpoint also what it can do (FRG-02). */
  #preflight({ request, response }: Exchange, own: Headers): void {
    respond(request, response, 204, [...own, ...this.#cors.preflight(request.headers.origin)]);
  }
}
