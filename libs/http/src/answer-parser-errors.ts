import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '@vaultsvc/contracts';
import { isDiscarding } from './discard.js';
import { errorBody } from './envelope.js';
import type { Headers } from './headers.js';
import { newRequestId } from './request-id.js';

/**
 * Answers what the HTTP parser refuses (bad syntax, too many header bytes, headers that take too long) in our envelope
 * and closes, because after such bytes nobody knows where the next request begins (OPEN-55). Requests that came whole
 * before those bytes are answered first: one of them may have burned what only its answer holds.
 */
export function answerParserErrors(server: Server, apiVersion: string, common: Headers): void {
  const underWay = trackAnswers(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    void Promise.all(underWay(socket)).then(() => {
      if (!socket.writable) return socket.destroy();
      const begun = answerBegunOn(socket);
      if (begun) return isWhole(begun) ? socket.destroySoon() : socket.destroy();
      return socket.end(rawRefusal(apiVersion, common));
    });
  });
  server.on('connect', (_request: unknown, socket: Duplex) => {
    // Node hands this socket over with no handler and no timeout of its own: a reset would end the process.
    socket.on('error', () => socket.destroy());
    socket.end(rawRefusal(apiVersion, common), () => socket.destroy());
  });
}

/** The answers to requests that have come whole on a socket; each resolves when it is sent or its socket is gone. */
function trackAnswers(server: Server): (socket: Socket) => Promise<void>[] {
  const answers = new WeakMap<Socket, Map<IncomingMessage, Promise<void>>>();
  const track = (request: IncomingMessage, response: ServerResponse) => {
    const own = answers.get(request.socket) ?? new Map<IncomingMessage, Promise<void>>();
    answers.set(request.socket, own);
    own.set(request, new Promise((resolve) => response.once('close', resolve)));
    response.once('close', () => own.delete(request));
  };
  server.prependListener('request', track);
  server.prependListener('checkContinue', track).prependListener('checkExpectation', track);
  return (socket) =>
    [...(answers.get(socket) ?? [])].filter(([{ complete }]) => complete).map(([, sent]) => sent);
}

/** The answer that has begun on this socket: ours would land in the middle of it. */
function answerBegunOn(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  return socket.bytesWritten > 0 && answer?.headersSent ? answer : undefined;
}

/** Nothing of it is missing: what is not on the wire yet may still be sent. */
function isWhole(answer: ServerResponse): boolean {
  return answer.writableEnded || isDiscarding(answer);
}

function rawRefusal(apiVersion: string, common: Headers): string {
  const error = new AppError('VALIDATION_ERROR', { reason: 'The request is not valid HTTP.' });
  const requestId = newRequestId();
  const body = errorBody(error, apiVersion, requestId).toString();
  const headers = [
    ...common,
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

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';
