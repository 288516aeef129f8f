import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { FEED_SOCKET_PATH, UNSUBSCRIBE_PAGE } from '@vaultsvc/contracts/notify';
import { assertFraming, assertHttps, DnsRebindingGuard, ProxyTrust, requestTarget } from '@vaultsvc/http';
import { ApiResponder } from '../exchange/api-responder.js';
import { OperationPipeline } from '../pipeline/operation-pipeline.js';
import { GatewayConfig, ownOrigins } from '../config.js';
import { NearestPath } from '../pipeline/nearest-path.js';
import { Router } from '../pipeline/router.js';
import { FeedUpgrade } from '../feed/feed-upgrade.js';
import { INSTALL_PATH } from '../install/install-page.js';
import { pageAliasOf } from '../reference/page-alias.js';
import { pageInPlaceOf } from '../unsubscribe/page-redirect.js';
import { Exchange, exchanges, type Upgrade } from '../exchange/exchange.js';
import { isReadByPreview } from '../web/web-policy.js';

const API_PATH = /^\/v1\//i;

/**
 * The HTTP server's listener. It answers operations itself, ahead of Express, which costs more time than all other stages
 * of a request; other GETs are passed on to Nest's pages.
 */
@Injectable()
export class PublicListener {
  readonly #trust: ProxyTrust;
  readonly #rebinding: DnsRebindingGuard;

  constructor(
    private readonly config: GatewayConfig,
    private readonly router: Router,
    private readonly nearestPath: NearestPath,
    private readonly pipeline: OperationPipeline,
    private readonly responder: ApiResponder,
    private readonly feed: FeedUpgrade,
  ) {
    this.#trust = new ProxyTrust(config.TRUSTED_PROXIES);
    this.#rebinding = new DnsRebindingGuard(config.PROFILE, ownOrigins(config), config.CORS_ORIGINS);
  }

  /** Never rejects: every error becomes an error response. `upgrade`: of the handshake of a WebSocket. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    pages: RequestListener,
    upgrade?: Upgrade,
  ): Promise<void> {
    const exchange = new Exchange(request, response, this.#trust.callerOf(request));
    exchange.upgrade = upgrade;
    try {
      await exchange.run(() => this.#answer(exchange, pages));
    } catch (error) {
      this.responder.sendError(exchange, error);
    }
  }

  async #answer(exchange: Exchange, pages: RequestListener): Promise<void> {
    const { request, caller } = exchange;
    assertHttps(caller, this.config.REQUIRE_HTTPS);
    assertFraming(request);
    this.#rebinding.assertHost(request);
    if (request.method === 'OPTIONS') return this.responder.sendPreflight(exchange);
    if (!isReadByPreview(request)) this.#rebinding.assertOrigin(request);
    const { path, query } = requestTarget(request.url ?? '');
    if (path === FEED_SOCKET_PATH && request.method === 'GET') return this.feed.open(exchange, query);
    const route = this.router.find(request.method ?? '', path);
    const page = pageInPlaceOf(route?.operation, request, query);
    if (page !== undefined) return this.responder.sendRedirect(exchange, page);
    if (route?.operation.parts)
      return this.responder.sendLines(exchange, this.pipeline.stream(exchange, route, query));
    if (route) return this.responder.sendSuccess(exchange, await this.pipeline.run(exchange, route, query));
    const methods = this.router.methodsOf(path);
    if (methods.length > 0) throw new AppError('METHOD_NOT_FOUND', { methods });
    this.#assertNotNear(path);
    this.#passToPages(exchange, path, pages);
  }

  /** Names the declared path that an unknown one of the API is near; the general 404 says nothing of a slash too many. */
  #assertNotNear(path: string): void {
    const nearest = API_PATH.test(path) ? this.nearestPath.find(path) : undefined;
    if (nearest !== undefined) throw new AppError('NOT_FOUND', { nearest });
  }

  /**
   * Refuses other methods than GET, HEAD of a file to install, and POST of the one form: Express would route a HEAD to the GET
   * of a page (OPEN-55).
   */
  #passToPages(exchange: Exchange, path: string, pages: RequestListener): void {
    const { method } = exchange.request;
    const isForm = method === 'POST' && path === UNSUBSCRIBE_PAGE;
    const isOfFile = method === 'HEAD' && path.startsWith(`${INSTALL_PATH}/`);
    if (method !== 'GET' && !isForm && !isOfFile) throw new AppError('NOT_FOUND');
    const alias = pageAliasOf(path, exchange.request);
    if (alias !== undefined) return this.responder.sendRedirect(exchange, alias);
    exchanges.add(exchange);
    pages(exchange.request, exchange.response as ServerResponse & { req: IncomingMessage });
  }
}
