import type { IncomingMessage, ServerResponse } from 'node:http';

const KEEP_ALIVE_BYTES_MAX = 64 * 1_024;
const LINGER_MS = 2_000;

const discarding = new WeakSet<ServerResponse>();

/** Whether an answer is whole and waits for the rest of its request alone. */
export function isDiscarding(response: ServerResponse): boolean {
  return discarding.has(response);
}

/** Whether the connection is better given up than read to the end of a body that nobody wants. */
export function isWorthClosing(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const declared = request.headers['content-length'];
  return declared === undefined
    ? request.headers['transfer-encoding'] !== undefined
    : Number(declared) > KEEP_ALIVE_BYTES_MAX;
}

/**
 * Ends an answer that was given before the body was read. Closing at once would send a reset that can overtake the
 * answer (RFC 9112, section 9.6), so the rest is dropped for a moment first; a caller that goes on sending is cut off.
 */
export function endAfterDiscard(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  response.write(body);
  discarding.add(response);
  const finish = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.once('end', finish).once('close', finish).resume();
}
