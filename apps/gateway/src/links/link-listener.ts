import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError, type LinkDomain } from '@vaultsvc/contracts';
import { assertFraming, assertHttps, DnsRebindingGuard, ProxyTrust, requestTarget } from '@vaultsvc/http';
import { OperationPipeline } from '../pipeline/operation-pipeline.js';
import { userAgentOf } from '../pipeline/request-input.js';
import { GatewayConfig, ownOrigins } from '../config.js';
import { ServedOperations } from '../pipeline/router.js';
import { Router } from '../pipeline/router.js';
import { Exchange } from '../exchange/exchange.js';
import { LinkResponder } from './link-responder.js';
import { LinkDocuments } from './link-documents.js';
import { assertJsonRequest, assertSameOrigin } from './link-request-rules.js';

const DOCUMENT_METHODS = ['GET', 'HEAD'];

/**
 * Answers the two origins of link pages: GETs with documents that are the same for every code and need no look-up, so that
 * previews, scanners and prefetches burn and learn nothing (LNK-11), and POSTs, which open links, by the pipeline.
 */
@Injectable()
export class LinkListener {
  readonly #trust: ProxyTrust;
  readonly #rebinding: DnsRebindingGuard;
  readonly #router: Router;
  readonly #origins: Readonly<Record<LinkDomain, string>>;

  constructor(
    private readonly config: GatewayConfig,
    { list }: ServedOperations,
    private readonly pipeline: OperationPipeline,
    private readonly documents: LinkDocuments,
    private readonly responder: LinkResponder,
  ) {
    this.#trust = new ProxyTrust(config.TRUSTED_PROXIES);
    this.#rebinding = new DnsRebindingGuard(config.PROFILE, ownOrigins(config), []);
    this.#router = new Router(list.filter(({ http }) => http.surface === 'links'));
    this.#origins = { link: config.LINK_ORIGIN, files: config.FILES_ORIGIN };
  }

  /** Never rejects: every error becomes an error response. */
  async handle(request: IncomingMessage, response: ServerResponse, domain: LinkDomain): Promise<void> {
    const exchange = new Exchange(request, response, this.#trust.callerOf(request));
    exchange.visit = { domain, userAgent: userAgentOf(request.headers) };
    try {
      await exchange.run(() => this.#answer(exchange, domain));
    } catch (error) {
      this.responder.sendError(exchange, error);
    }
  }

  async #answer(exchange: Exchange, domain: LinkDomain): Promise<void> {
    const { request, caller } = exchange;
    assertHttps(caller, this.config.REQUIRE_HTTPS);
    assertFraming(request);
    this.#rebinding.assertHost(request);
    if (request.method === 'OPTIONS') return this.responder.sendPreflight(exchange);
    const { path, query } = requestTarget(request.url ?? '');
    const route = this.#router.find(request.method ?? '', path);
    if (!route) return this.#sendDocument(exchange, path);
    assertSameOrigin(request, this.#origins[domain]);
    assertJsonRequest(request);
    this.responder.sendSuccess(exchange, await this.pipeline.run(exchange, route, query));
  }

  #sendDocument(exchange: Exchange, path: string): void {
    const { method = '' } = exchange.request;
    const found = this.documents.find(path, exchange.request);
    if (!found || !DOCUMENT_METHODS.includes(method)) throw this.#unknownMethod(path, found !== undefined);
    exchange.page = found.route;
    this.responder.sendDocument(exchange, found);
  }

  /** Names the methods of a path, which say nothing about the code in it. */
  #unknownMethod(path: string, isDocument: boolean): AppError {
    const methods = [...(isDocument ? DOCUMENT_METHODS : []), ...this.#router.methodsOf(path)];
    return methods.length > 0 ? new AppError('METHOD_NOT_FOUND', { methods }) : new AppError('NOT_FOUND');
  }
}
