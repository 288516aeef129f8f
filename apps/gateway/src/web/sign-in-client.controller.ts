import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { readSignInClient } from '@vaultsvc/contracts/auth';
import { JSON_CONTENT_TYPE, requestTarget } from '@vaultsvc/http';
import { Bus } from '@vaultsvc/messaging';
import { RequestAuthenticator } from '../access/request-authenticator.js';
import { ApiResponder, NO_CONTENT_POLICY } from '../exchange/api-responder.js';
import { exchanges } from '../exchange/exchange.js';

const SIGN_IN_CLIENT = '/console/sign-in.json';

/**
 * Endpoint and client for the authorization request of the web application and of the command line (OPEN-65). It asks a service, so it
 * counts on the caller's address (OPEN-10).
 */
@Controller()
export class SignInClientController {
  constructor(
    private readonly authenticator: RequestAuthenticator,
    private readonly responder: ApiResponder,
    private readonly bus: Bus,
  ) {}

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get(SIGN_IN_CLIENT)
  async signInClient(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    // Express also routes `/CONSOLE/sign-in.json/` here; paths match exactly (OPEN-55).
    if (requestTarget(request.url ?? '').path !== SIGN_IN_CLIENT) throw new AppError('NOT_FOUND');
    const exchange = exchanges.of(request);
    exchange.page = SIGN_IN_CLIENT;
    exchange.window = (await this.authenticator.countAnonymous(exchange.caller.ip)).window;
    const client = await this.bus.call(readSignInClient, {}, serviceContext(exchange));
    const form = { contentType: JSON_CONTENT_TYPE, policy: NO_CONTENT_POLICY };
    this.responder.sendPage(exchange, form, Buffer.from(JSON.stringify(client)));
  }
}
