import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from './pages/page.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Far above two short fields. */
const bodyBytesMax = 16 * 1024;

/** A request body above the limit. */
export class BodyTooLarge extends Error {
  constructor() {
    super(`the body must be at most ${bodyBytesMax} bytes`);
  }
}

/** @throws BodyTooLarge */
export async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  if (bytes > bodyBytesMax) throw new BodyTooLarge();
  return Buffer.concat(chunks).toString('utf8');
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { ...securityHeaders, 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function sendPage(response: ServerResponse, status: number, { text, policy }: Page) {
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
  });
  response.end(text);
}

/** The URL of the page contains a code for a moment, so it is neither cached nor sent as a referrer. */
const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
