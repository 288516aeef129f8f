import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@vaultsvc/contracts';
import { errorBody } from './envelope.js';
import { dataHeaders } from './headers.js';
import { newRequestId } from './request-id.js';

/**
 * Answers what the HTTP parser refuses (bad syntax, too many header bytes, headers that take too long) in our envelope
 * and closes, because after such bytes nobody knows where the next request begins (OPEN-55).
 */
export function answerParserErrors(server: Server, apiVersion: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
    socket.end(rawRefusal(apiVersion));
  });
  server.on('connect', (_request: unknown, socket: Socket) => void socket.end(rawRefusal(apiVersion)));
}

/** An answer has begun on this socket: ours would land in the middle of it. */
function isAnswering(socket: Socket): boolean {
  return (
    socket.bytesWritten > 0 &&
    (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true
  );
}

function rawRefusal(apiVersion: string): string {
  const error = new AppError('VALIDATION_ERROR', { reason: 'The request is not valid HTTP.' });
  const requestId = newRequestId();
  const body = errorBody(error, apiVersion, requestId).toString();
  const headers = [
    ...dataHeaders,
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
