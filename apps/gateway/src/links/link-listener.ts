import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError, type LinkDomain } from '@vaultsvc/contracts';
import { assertFraming, assertHttps, ProxyTrust, targetOf } from '@vaultsvc/http';
import { Calls } from '../calling/calls.js';
import { userAgentOf } from '../calling/user-agent.js';
import { GatewayConfig } from '../config.js';
import { Operations } from '../reference/operations.js';
import { Router } from '../routing/router.js';
import { Exchange } from '../server/exchange.js';
import { LinkAnswers } from './link-answers.js';
import { LinkDocuments } from './link-documents.js';
import { assertJson, assertOwnPage } from './visitor-rules.js';

/**
 * What the two origins of link pages answer: documents that are the same for every code and cost no look-up, so that
 * previews, scanners and prefetches burn nothing and learn nothing (LNK-11), and the POSTs of whoever opens a link.
 */
@Injectable()
export class LinkListener {
  readonly #trust: ProxyTrust;
  readonly #router: Router;
  readonly #origins: Readonly<Record<LinkDomain, string>>;

  constructor(
    private readonly config: GatewayConfig,
    { list }: Operations,
    private readonly calls: Calls,
    private readonly documents: LinkDocuments,
    private readonly answers: LinkAnswers,
  ) {
    this.#trust = new ProxyTrust(config.TRUSTED_PROXIES);
    this.#router = new Router(list.filter(({ http }) => http.surface === 'links'));
    this.#origins = { link: config.LINK_ORIGIN, files: config.FILES_ORIGIN };
  }

  /** Never rejects: whatever goes wrong is an answer. */
  async handle(request: IncomingMessage, response: ServerResponse, domain: LinkDomain): Promise<void> {
    const exchange = new Exchange(request, response, this.#trust.callerOf(request));
    exchange.visit = { domain, userAgent: userAgentOf(request.headers) };
    try {
      await this.#answer(exchange, domain);
    } catch (error) {
      this.answers.failure(exchange, error);
    }
  }

  async #answer(exchange: Exchange, domain: LinkDomain): Promise<void> {
    const { request, caller } = exchange;
    assertHttps(caller, this.config.REQUIRE_HTTPS);
    assertFraming(request);
    if (request.method === 'OPTIONS') return this.answers.nothing(exchange);
    const { path, query } = targetOf(request.url ?? '');
    const route = this.#router.find(request.method ?? '', path);
    if (!route) return this.#showDocument(exchange, path);
    assertOwnPage(request, this.#origins[domain]);
    assertJson(request);
    this.answers.success(exchange, await this.calls.run(exchange, route, query));
  }

  #showDocument(exchange: Exchange, path: string): void {
    const { method } = exchange.request;
    const found =
      method === 'GET' || method === 'HEAD' ? this.documents.find(path, exchange.request) : undefined;
    if (!found) throw new AppError('NOT_FOUND');
    exchange.page = found.route;
    this.answers.document(exchange, found);
  }
}
