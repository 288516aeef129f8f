import type { Socket } from 'node:net';
import type { LinkVisit, PublicOperation, SessionClient } from '@vaultsvc/contracts';
import { ExchangeRegistry, HttpExchange } from '@vaultsvc/http';
import type { CredentialRecord, FixedWindow, PoolSnapshot } from '@vaultsvc/limits';

/** One request with its response, and what the pipeline has learned of the request so far. */
export class Exchange extends HttpExchange {
  operation: PublicOperation | undefined;
  /** Path template of a document that is not an operation. */
  page: string | undefined;
  record: CredentialRecord | null = null;
  window: FixedWindow | undefined;
  poolSnapshot: PoolSnapshot | null = null;
  /** How the caller keeps its refresh token; of session operations only. */
  client: SessionClient | undefined;
  /** Origin and user agent of the visitor; of link pages only. */
  visit: LinkVisit | undefined;
  /** `Set-Cookie` of the success; an error response never changes the cookie. */
  setCookie: string | undefined;
  /** Whether the reply is that of an earlier request with the same Idempotency-Key. */
  isReplayed = false;
  /** Names in the input that the contract does not declare, once the input was read. */
  ignoredNames: string | undefined;
  /** Of the handshake of a WebSocket only, whose connection Node has handed over. */
  upgrade: Upgrade | undefined;
}

/** The connection of a request that asks for another protocol. */
export interface Upgrade {
  readonly socket: Socket;
  /** The bytes that followed the request's head. */
  readonly head: Buffer;
}

/** The exchanges of requests that were passed on to Express. */
export const exchanges = new ExchangeRegistry<Exchange>();
