import type { IncomingMessage } from 'node:http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { unsubscribe, UNSUBSCRIBE_PAGE } from '@vaultsvc/contracts/notify';
import { requestTarget } from '@vaultsvc/http';
import type { PageDocument } from '../pages/page-document.js';
import { OperationPipeline } from '../pipeline/operation-pipeline.js';
import { ApiResponder } from '../exchange/api-responder.js';
import { exchanges, type Exchange } from '../exchange/exchange.js';
import { failedPage, invalidLinkPage, unsubscribedPage, unsubscribePage } from './unsubscribe-page.js';

/**
 * Serves the page behind the visible link of a mail (NTF-41). GET changes nothing, since mail scanners follow links; the form of
 * a browser without scripts posts to the same address.
 */
@Controller()
export class UnsubscribeController {
  readonly #page = unsubscribePage();
  readonly #ended = unsubscribedPage();
  readonly #invalid = invalidLinkPage();
  readonly #failed = failedPage();

  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly responder: ApiResponder,
  ) {}

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get(UNSUBSCRIBE_PAGE)
  page(@Req() request: IncomingMessage, @Res() _: unknown): void {
    const exchange = admit(request);
    this.#send(exchange, this.#page, 200);
  }

  /** The call of the form: as POST /v1/unsubscribe, which counts it. */
  @Post(UNSUBSCRIBE_PAGE)
  async end(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    const exchange = admit(request);
    const { query } = requestTarget(request.url ?? '');
    try {
      await this.pipeline.run(exchange, { operation: unsubscribe, params: {} }, query);
    } catch (error) {
      const status = error instanceof AppError ? error.status : 500;
      return this.#send(exchange, status === 400 ? this.#invalid : this.#failed, status);
    }
    this.#send(exchange, this.#ended, 200);
  }

  #send(exchange: Exchange, { html, policy }: PageDocument, status: number): void {
    const form = { contentType: 'text/html; charset=utf-8', policy, maxAgeSeconds: null, status };
    this.responder.sendPage(exchange, form, html);
  }
}

/** @throws NOT_FOUND for `/UNSUBSCRIBE/`, which Express also routes here; paths match exactly (OPEN-55) */
function admit(request: IncomingMessage): Exchange {
  if (requestTarget(request.url ?? '').path !== UNSUBSCRIBE_PAGE) throw new AppError('NOT_FOUND');
  const exchange = exchanges.of(request);
  exchange.page = UNSUBSCRIBE_PAGE;
  return exchange;
}
