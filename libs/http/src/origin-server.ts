import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '@vaultsvc/contracts';
import { errorBody, type ApiInfo } from './envelope.js';
import { newRequestId } from './exchange.js';
import { GracefulHttpClose } from './graceful-http-close.js';
import { dataHeaders, isLingering, JSON_CONTENT_TYPE, LINGER_MS, type RawHeaders } from './response.js';

/** Slow request heads time out; idle connections outlive the 60 s of a load balancer in front. */
const commonOptions: ServerOptions = {
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false, // `assertFraming` refuses a missing one in the envelope
};

/**
 * The server of a public origin. Node itself sends no response: refusals of its parser go out in the envelope with
 * `errorHeaders`, and `handle` decides on `Expect: 100-continue`. Close the server by its `gracefulClose`.
 */
export function createOriginServer(
  handle: RequestListener,
  api: ApiInfo,
  options: ServerOptions,
  errorHeaders: RawHeaders = dataHeaders,
): { server: Server; gracefulClose: GracefulHttpClose } {
  const server = createServer({ ...commonOptions, ...options }, handle);
  server.maxHeadersCount = 0; // Node would silently drop headers beyond its count; `assertFraming` refuses them
  // A client may close its sending side after the request and still read the response, for which it may have spent a token.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Without these listeners Node would send "100 Continue" before the credential is checked, and a bare 417.
  server.on('checkContinue', handle).on('checkExpectation', handle);
  handleParserErrors(server, api, errorHeaders);
  return { server, gracefulClose: new GracefulHttpClose(server) };
}

/**
 * Answers what the HTTP parser refuses (bad syntax, too many header bytes, slow headers) in the envelope and closes the
 * connection, because the start of the next request is unknown (OPEN-55). Earlier complete requests of the connection
 * are answered first: such a response may hold the only copy of a Spark.
 */
function handleParserErrors(server: Server, api: ApiInfo, errorHeaders: RawHeaders): void {
  const pendingOn = trackResponses(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    void Promise.all(pendingOn(socket)).then(() => {
      if (!socket.writable) return socket.destroy();
      const started = startedResponseOn(socket);
      if (started) return isComplete(started) ? socket.destroySoon() : socket.destroy();
      return endWithin(socket, rawErrorResponse(api, errorHeaders));
    });
  });
  server.on('connect', (_request: unknown, socket: Duplex) => {
    // Node gives this socket no error handler: a connection reset would crash the process.
    socket.on('error', () => socket.destroy());
    socket.end(rawErrorResponse(api, errorHeaders), () => socket.destroy());
  });
}

/**
 * Ends the server's side, and the connection after a while: a client that keeps its own side open would otherwise keep
 * the request that it was refused for, with all of its body that has arrived.
 */
function endWithin(socket: Socket, text: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer)).end(text);
}

/** Tracks the responses to complete requests of a socket; each promise resolves when its response is sent or closed. */
function trackResponses(server: Server): (socket: Socket) => Promise<void>[] {
  const pending = new WeakMap<Socket, Map<IncomingMessage, Promise<void>>>();
  const track = (request: IncomingMessage, response: ServerResponse) => {
    const own = pending.get(request.socket) ?? new Map<IncomingMessage, Promise<void>>();
    pending.set(request.socket, own);
    own.set(request, new Promise((resolve) => response.once('close', resolve)));
    response.once('close', () => own.delete(request));
  };
  server.prependListener('request', track);
  server.prependListener('checkContinue', track).prependListener('checkExpectation', track);
  return (socket) =>
    [...(pending.get(socket) ?? [])].filter(([{ complete }]) => complete).map(([, closed]) => closed);
}

/** The response that has been started on this socket: an error response would corrupt it. */
function startedResponseOn(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  return socket.bytesWritten > 0 && response?.headersSent ? response : undefined;
}

/** All bytes of the response are written; some may still be in the socket's buffer. */
function isComplete(response: ServerResponse): boolean {
  return response.writableEnded || isLingering(response);
}

function rawErrorResponse(api: ApiInfo, errorHeaders: RawHeaders): string {
  const error = new AppError('HTTP_MALFORMED');
  const requestId = newRequestId();
  const body = errorBody(error, api, requestId).toString();
  const headers = [
    ...errorHeaders,
    'Content-Type',
    JSON_CONTENT_TYPE,
    'X-Request-Id',
    requestId,
    'Connection',
    'close',
  ];
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  return [
    `HTTP/1.1 400 ${STATUS_CODES[400]}`,
    ...lines,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
