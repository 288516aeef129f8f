import type { IncomingMessage, ServerResponse } from 'node:http';
import { newRequestId, type Caller } from '@vaultsvc/http';

/** One request on its way, and what has become known of it. */
export class Exchange {
  readonly requestId = newRequestId();
  readonly #beganMs = performance.now();
  /** Template of its path: ISTKs and upload ids are secrets and stand in paths and queries (MISC-03). */
  route: string | undefined;
  /** Whose bytes are moved, once that is known. */
  accountId: string | null = null;
  /** What a proxy in front has seen; the request's own may be the one that it names (X-HTTP-Method-Override). */
  readonly sentMethod: string | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly caller: Caller,
  ) {
    this.sentMethod = request.method;
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#beganMs);
  }
}

const underWay = new WeakMap<IncomingMessage, Exchange>();

export function rememberExchange(exchange: Exchange): void {
  underWay.set(exchange.request, exchange);
}

export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = underWay.get(request);
  if (!exchange) throw new Error('a request that did not come through the front');
  return exchange;
}
