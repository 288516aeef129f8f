import type { IncomingMessage, ServerResponse } from 'node:http';
import { ExchangeRegistry, HttpExchange, type Caller } from '@vaultsvc/http';

/** One request of the transfer origin with its response. */
export class ForgeExchange extends HttpExchange {
  /** Template of its path. Paths and queries contain secrets: ISTKs and upload ids (MISC-03). */
  route: string | undefined;
  /** The account whose bytes are transferred, once it is known. */
  accountId: string | null = null;
  /** The method in the request line; X-HTTP-Method-Override may replace that of the request. */
  readonly sentMethod: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, caller: Caller) {
    super(request, response, caller);
    this.sentMethod = request.method;
  }
}

export const exchanges = new ExchangeRegistry<ForgeExchange>();
