import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { readSignInClient } from '@vaultsvc/contracts/auth';
import { JSON_CONTENT_TYPE, requestTarget } from '@vaultsvc/http';
import { Bus } from '@vaultsvc/messaging';
import { RequestAuthenticator } from '../access/request-authenticator.js';
import { ApiResponder, NO_CONTENT_POLICY, type PageForm } from '../exchange/api-responder.js';
import { exchanges, type Exchange } from '../exchange/exchange.js';
import { consolePage } from './console-page.js';

const USAGE = '/console/usage';
const SIGN_IN_CLIENT = '/console/sign-in.json';

/**
 * Serves the console, which is a client of the API like any other: its script calls operations in the session that the web application has opened (OPEN-65). Calls
 * of a service count on the caller's address (OPEN-10), pages do not.
 */
@Controller()
export class ConsoleController {
  readonly #html: Buffer;
  readonly #form: PageForm;

  constructor(
    private readonly authenticator: RequestAuthenticator,
    private readonly responder: ApiResponder,
    private readonly bus: Bus,
  ) {
    const { html, policy } = consolePage();
    this.#html = html;
    this.#form = { contentType: 'text/html; charset=utf-8', policy };
  }

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get(USAGE)
  usage(@Req() request: IncomingMessage, @Res() _: unknown): void {
    this.responder.sendPage(admit(request, USAGE), this.#form, this.#html);
  }

  /** Endpoint and client for the authorization request of the page. */
  @Get(SIGN_IN_CLIENT)
  async signInClient(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    const exchange = admit(request, SIGN_IN_CLIENT);
    exchange.window = (await this.authenticator.countAnonymous(exchange.caller.ip)).window;
    const client = await this.bus.call(readSignInClient, {}, serviceContext(exchange));
    const form = { contentType: JSON_CONTENT_TYPE, policy: NO_CONTENT_POLICY };
    this.responder.sendPage(exchange, form, Buffer.from(JSON.stringify(client)));
  }
}

/** @throws NOT_FOUND for `/CONSOLE/usage/`, which Express also routes here; paths match exactly (OPEN-55) */
function admit(request: IncomingMessage, page: string): Exchange {
  if (requestTarget(request.url ?? '').path !== page) throw new AppError('NOT_FOUND');
  const exchange = exchanges.of(request);
  exchange.page = page;
  return exchange;
}
