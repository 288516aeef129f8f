import type { IncomingMessage, ServerResponse } from 'node:http';
import { endAfterDiscard, isWorthClosing } from './discard.js';
import type { Headers } from './headers.js';

/** Writes a whole answer at once. A body that the caller is still sending is dropped first (see discard.ts). */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Headers,
  body?: Buffer,
): void {
  if (response.headersSent || response.destroyed) return;
  const close = isWorthClosing(request) ? ['Connection', 'close'] : [];
  if (body === undefined) {
    response.writeHead(status, [...headers, ...close] as string[]).end();
    return;
  }
  response.writeHead(status, [...headers, ...close, 'Content-Length', String(body.length)] as string[]);
  if (close.length > 0) return endAfterDiscard(request, response, body);
  response.end(body);
}
