import type { IncomingMessage, ServerResponse } from 'node:http';
import { ExchangeRegistry, HttpExchange, type Caller } from '@vaultsvc/http';

/** One request of the transfer origin with its response. */
export class Exchange extends HttpExchange {
  /** Template of its path: ISTKs and upload ids are secrets and stand in paths and queries (MISC-03). */
  route: string | undefined;
  /** The account whose bytes are transferred, once it is known. */
  accountId: string | null = null;
  /** The method that a proxy in front has seen; X-HTTP-Method-Override may replace that of the request. */
  readonly sentMethod: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, caller: Caller) {
    super(request, response, caller);
    this.sentMethod = request.method;
  }
}

export const exchanges = new ExchangeRegistry<Exchange>();
