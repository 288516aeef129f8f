import type { IncomingMessage, ServerResponse } from 'node:http';

/** "100 Continue" for who waits for it (RFC 9110, 10.1.1): only for this expectation, and HTTP/1.0 knows none. */
export function invite({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1') response.writeContinue();
}
