import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { JSON_CONTENT_TYPE, targetOf } from '@vaultsvc/http';
import { Door } from '../access/door.js';
import { Answers } from '../answer/answers.js';
import { GatewayConfig } from '../config.js';
import { exchangeOf } from '../server/exchange.js';
import { docsPage } from './docs-page.js';
import { openApiOf } from './openapi.js';
import { Operations } from './operations.js';

const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The reference, made once from the catalogue and kept (OPEN-56); counted on the caller's address (OPEN-10). */
@Controller()
export class ReferenceController {
  readonly #openApi: Buffer;
  readonly #docs: { readonly page: Buffer; readonly policy: string };

  constructor(
    { list }: Operations,
    private readonly door: Door,
    private readonly answers: Answers,
    config: GatewayConfig,
  ) {
    const options = {
      version: config.BUILD_VERSION,
      origin: config.API_ORIGIN,
      linkOrigins: [config.LINK_ORIGIN, config.FILES_ORIGIN],
    };
    const { page, policy } = docsPage(list, options);
    this.#openApi = Buffer.from(JSON.stringify(openApiOf(list, options)));
    this.#docs = { page: Buffer.from(page), policy };
  }

  // `@Res` takes the answer out of Nest's hands: Express would add an ETag.
  @Get('/v1/openapi.json')
  openApi(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    return this.#show(
      request,
      '/v1/openapi.json',
      { contentType: JSON_CONTENT_TYPE, policy: NO_CONTENT_POLICY },
      this.#openApi,
    );
  }

  @Get('/docs')
  docs(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    return this.#show(
      request,
      '/docs',
      { contentType: 'text/html; charset=utf-8', policy: this.#docs.policy },
      this.#docs.page,
    );
  }

  async #show(
    request: IncomingMessage,
    page: string,
    form: { contentType: string; policy: string },
    body: Buffer,
  ): Promise<void> {
    // Express also finds `/DOCS/`; our paths match exactly (OPEN-55).
    if (targetOf(request.url ?? '').path !== page) throw new AppError('NOT_FOUND');
    const exchange = exchangeOf(request);
    exchange.page = page;
    exchange.window = (await this.door.enterUnknown(exchange.caller.ip)).window;
    this.answers.page(exchange, form, body);
  }
}
