import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { assertFraming, assertHttps, ProxyTrust, targetOf } from '@vaultsvc/http';
import { Answers } from '../answer/answers.js';
import { Calls } from '../calling/calls.js';
import { GatewayConfig } from '../config.js';
import { Router } from '../routing/router.js';
import { Exchange, rememberExchange } from './exchange.js';

/**
 * The HTTP server's own listener. Declared operations are answered here, ahead of Express, which costs a request more
 * than all the rest of the way; other GETs go on to Nest's pages.
 */
@Injectable()
export class PublicListener {
  readonly #trust: ProxyTrust;

  constructor(
    private readonly config: GatewayConfig,
    private readonly router: Router,
    private readonly calls: Calls,
    private readonly answers: Answers,
  ) {
    this.#trust = new ProxyTrust(config.TRUSTED_PROXIES);
  }

  /** Never rejects: whatever goes wrong is an answer. */
  async handle(request: IncomingMessage, response: ServerResponse, pages: RequestListener): Promise<void> {
    const exchange = new Exchange(request, response, this.#trust.callerOf(request));
    try {
      await this.#answer(exchange, pages);
    } catch (error) {
      this.answers.failure(exchange, error);
    }
  }

  async #answer(exchange: Exchange, pages: RequestListener): Promise<void> {
    const { request, caller } = exchange;
    assertHttps(caller, this.config.REQUIRE_HTTPS);
    assertFraming(request);
    if (request.method === 'OPTIONS') return this.answers.preflight(exchange);
    const { path, query } = targetOf(request.url ?? '');
    const route = this.router.find(request.method ?? '', path);
    if (route) return this.answers.success(exchange, await this.calls.run(exchange, route, query));
    this.#leaveToPages(exchange, pages);
  }

  /** Express would hand a HEAD to a page's GET; nothing but GET has a page (OPEN-55). */
  #leaveToPages(exchange: Exchange, pages: RequestListener): void {
    if (exchange.request.method !== 'GET') throw new AppError('NOT_FOUND');
    rememberExchange(exchange);
    pages(exchange.request, exchange.response as ServerResponse & { req: IncomingMessage });
  }
}
