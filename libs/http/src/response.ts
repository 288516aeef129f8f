import type { IncomingMessage, ServerResponse } from 'node:http';
import { readInTurns } from './reading-turns.js';

/** Alternating header names and values, as `writeHead` accepts them: cheaper than an object, and in a fixed order. */
export type RawHeaders = readonly string[];

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** `securityHeaders` of a page that its policy lets other origins show in a frame. */
export const framedHeaders: RawHeaders = [
  'Strict-Transport-Security',
  'max-age=63072000; includeSubDomains; preload',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/**
 * Headers of every response: HSTS as the preload list requires it; no sniffing, framing or referrer; no embedding by
 * other sites.
 */
export const securityHeaders: RawHeaders = [...framedHeaders, 'X-Frame-Options', 'DENY'];

/** Headers of a response with data: it may hold secrets and is not stored; a browser that shows it loads nothing. */
export const dataHeaders: RawHeaders = [
  ...securityHeaders,
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control',
  'no-store',
];

/** Sends a whole response, unless one was started. After it, the rest of an unread request body is discarded. */
export function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: RawHeaders,
  body?: Buffer,
): void {
  if (response.headersSent || response.destroyed) return;
  const close = mustClose(request) ? ['Connection', 'close'] : [];
  if (body === undefined) {
    response.writeHead(status, [...headers, ...close] as string[]).end();
    return;
  }
  response.writeHead(status, [...headers, ...close, 'Content-Length', String(body.length)] as string[]);
  if (close.length > 0) return endAfterLingering(request, response, body);
  response.end(body);
}

const DISCARDED_BYTES_MAX = 64 * 1_024;
/** How long the rest of a refused request is awaited before its connection is cut. */
export const LINGER_MS = 2_000;

const lingering = new WeakSet<ServerResponse>();

/** Whether all bytes of a response are written and only the rest of its request is being discarded. */
export function isLingering(response: ServerResponse): boolean {
  return lingering.has(response);
}

/** Whether the unread rest of the body is so long that closing the connection is cheaper than reading it. */
function mustClose(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const declared = request.headers['content-length'];
  return declared === undefined
    ? request.headers['transfer-encoding'] !== undefined
    : Number(declared) > DISCARDED_BYTES_MAX;
}

/**
 * Lingering close: closing at once would send a TCP reset that may destroy the response on its way (RFC 9112, 9.6). So
 * the rest of the request is discarded for up to 2 s; then a caller that is still sending is cut off.
 */
function endAfterLingering(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  response.write(body);
  lingering.add(response);
  const finish = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.once('end', finish).once('close', finish);
  readInTurns(request);
}
