import { Injectable } from '@nestjs/common';
import { AppError, decodeQuery, validationError } from '@vaultsvc/contracts';
import { FEED_SOCKET_PATH, FeedSocketQuery, type FeedEntries } from '@vaultsvc/contracts/notify';
import { WebSocketServer } from 'ws';
import { assertAccess } from '../access/assert-access.js';
import { RequestAuthenticator, type AccessRule } from '../access/request-authenticator.js';
import { GatewayConfig } from '../config.js';
import { RequestLogger } from '../exchange/request-logger.js';
import type { Exchange, Upgrade } from '../exchange/exchange.js';
import { releaseSocket } from '../exchange/upgrade-response.js';
import { FeedReader, type FeedOwner } from './feed-reader.js';
import { FeedSockets } from './feed-sockets.js';
import { assertProtocols, FEED_PROTOCOL, withProtocolCredential } from './socket-protocols.js';

const RULE: AccessRule = { access: { credential: 'key' } };
/** 16 bytes in base64 (RFC 6455, 4.1). */
const WEBSOCKET_KEY = /^[A-Za-z0-9+/]{22}==$/;
/** Clients send no messages; a longer frame is refused before it is read. */
const MESSAGE_BYTES_MAX = 1_024;

/**
 * Upgrades a request to a socket of the live feed. All refusals precede the upgrade, in the envelope and in the order of
 * operations: 403 for the origin, 401, 429, 403, 400 (NTF-44, AMB-13).
 */
@Injectable()
export class FeedUpgrade {
  readonly #origins: ReadonlySet<string>;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false, // links are secrets, and lengths of compressed ones reveal something (BREACH)
    handleProtocols: () => FEED_PROTOCOL, // never the credential
  });

  constructor(
    private readonly authenticator: RequestAuthenticator,
    private readonly reader: FeedReader,
    private readonly sockets: FeedSockets,
    private readonly log: RequestLogger,
    { API_ORIGIN, CORS_ORIGINS }: GatewayConfig,
  ) {
    this.#origins = new Set([API_ORIGIN, ...CORS_ORIGINS]);
  }

  /** Rejects with the error for the caller, as long as the socket has not been upgraded. */
  async open(exchange: Exchange, query: string): Promise<void> {
    exchange.page = FEED_SOCKET_PATH;
    this.#assertOrigin(exchange);
    const owner = await this.#authenticate(exchange);
    const upgrade = assertHandshake(exchange);
    const { after } = decodeQuery(FeedSocketQuery, new URLSearchParams(query));
    const release = this.sockets.reserve(owner.accountId);
    upgrade.socket.once('close', release);
    const page = await this.reader.read(owner, after);
    assertKnown(after, page);
    if (!upgrade.socket.destroyed) this.#upgrade(exchange, upgrade, owner, after, page);
  }

  /** CORS does not apply to WebSockets, so the server compares the origin of a page (RFC 6455, 10.2). */
  #assertOrigin({ request: { headers } }: Exchange): void {
    if (headers.origin !== undefined && !this.#origins.has(headers.origin))
      throw new AppError('FEED_ORIGIN_REFUSED');
  }

  async #authenticate(exchange: Exchange): Promise<FeedOwner> {
    const { request, caller, requestId } = exchange;
    const headers = withProtocolCredential(request.headers);
    const { record, window, presented } = await this.authenticator.authenticate(
      RULE,
      headers,
      caller.ip,
      requestId,
    );
    Object.assign(exchange, { record, window });
    assertAccess(RULE, record);
    if (!record?.accountId || !presented) throw new AppError('AUTHENTICATION_ERROR');
    return { accountId: record.accountId, credential: presented, requestId };
  }

  #upgrade(
    exchange: Exchange,
    { socket, head }: Upgrade,
    owner: FeedOwner,
    after: number,
    page: FeedEntries,
  ): void {
    releaseSocket(exchange.response, socket);
    this.#server.handleUpgrade(exchange.request, socket, head, (webSocket) => {
      this.log.logResponse(exchange, 101);
      this.sockets.serve(webSocket, owner, after, page);
    });
  }
}

/** Throws VALIDATION_ERROR for a request that RFC 6455, 4.1 does not allow. */
function assertHandshake({ request: { headers }, upgrade }: Exchange): Upgrade {
  if (!upgrade || headers.upgrade?.toLowerCase() !== 'websocket')
    throw validationError({ field: 'Upgrade', message: 'must be websocket' });
  if (headers['sec-websocket-version'] !== '13')
    throw validationError({ field: 'Sec-WebSocket-Version', message: 'must be 13' });
  if (!WEBSOCKET_KEY.test(headers['sec-websocket-key'] ?? ''))
    throw validationError({ field: 'Sec-WebSocket-Key', message: 'must be 16 bytes in base64' });
  assertProtocols(headers);
  return upgrade;
}

/** A client beyond the feed would miss the next entries without notice. */
function assertKnown(after: number, { last }: FeedEntries): void {
  if (after > last)
    throw validationError({
      field: 'after',
      message: `must be ${last} at most, the last position of the feed`,
    });
}
