import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LinkVisit, PublicOperation, SessionClient } from '@vaultsvc/contracts';
import { newRequestId, type Caller } from '@vaultsvc/http';
import type { CredentialRecord, PoolSnapshot, FixedWindow } from '@vaultsvc/limits';

/** One request on its way, and what has become known of it. */
export class Exchange {
  readonly requestId = newRequestId();
  readonly #beganMs = performance.now();
  operation: PublicOperation | undefined;
  /** Template of the page that Nest has found, where it is no operation. */
  page: string | undefined;
  record: CredentialRecord | null = null;
  window: FixedWindow | undefined;
  poolSnapshot: PoolSnapshot | null = null;
  /** Who keeps the session; of session operations only. */
  client: SessionClient | undefined;
  /** Where and with what a link is opened; of link pages only. */
  visit: LinkVisit | undefined;
  /** `Set-Cookie` of the success; a refusal never touches the cookie. */
  setCookie: string | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly caller: Caller,
  ) {}

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#beganMs);
  }
}

const underWay = new WeakMap<IncomingMessage, Exchange>();

/** Lets pages and Nest's error filter find the exchange of a request that went on to Express. */
export function rememberExchange(exchange: Exchange): void {
  underWay.set(exchange.request, exchange);
}

export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = underWay.get(request);
  if (!exchange) throw new Error('a request that did not come through the listener');
  return exchange;
}
