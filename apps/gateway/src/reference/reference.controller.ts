import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { JSON_CONTENT_TYPE, requestTarget } from '@vaultsvc/http';
import { RequestAuthenticator } from '../access/request-authenticator.js';
import { ApiResponder, NO_CONTENT_POLICY } from '../response/api-responder.js';
import { GatewayConfig } from '../config.js';
import { exchanges } from '../server/exchange.js';
import { docsPage } from './docs-page.js';
import { openApiOf } from './openapi.js';
import { ServedOperations } from '../routing/router.js';

/** Serves the reference, rendered once from the catalogue (OPEN-56); requests count on the caller's address (OPEN-10). */
@Controller()
export class ReferenceController {
  readonly #openApi: Buffer;
  readonly #docs: { readonly page: Buffer; readonly policy: string };

  constructor(
    { list }: ServedOperations,
    private readonly authenticator: RequestAuthenticator,
    private readonly responder: ApiResponder,
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

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get('/v1/openapi.json')
  openApi(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    return this.#send(
      request,
      '/v1/openapi.json',
      { contentType: JSON_CONTENT_TYPE, policy: NO_CONTENT_POLICY },
      this.#openApi,
    );
  }

  @Get('/docs')
  docs(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    return this.#send(
      request,
      '/docs',
      { contentType: 'text/html; charset=utf-8', policy: this.#docs.policy },
      this.#docs.page,
    );
  }

  async #send(
    request: IncomingMessage,
    page: string,
    form: { contentType: string; policy: string },
    body: Buffer,
  ): Promise<void> {
    // Express also routes `/DOCS/` here; paths match exactly (OPEN-55).
    if (requestTarget(request.url ?? '').path !== page) throw new AppError('NOT_FOUND');
    const exchange = exchanges.of(request);
    exchange.page = page;
    exchange.window = (await this.authenticator.countAnonymous(exchange.caller.ip)).window;
    this.responder.sendPage(exchange, form, body);
  }
}
