import type { IncomingMessage } from 'node:http';
import { newId } from '@vaultsvc/crypto/encoding';

const INBOUND = /^[A-Za-z0-9_-]{1,64}$/;

/** Always ours and always new, so that no two answers share one (ENV-07). */
export function newRequestId(): string {
  return newId('req_');
}

/** The caller's own id, for the log only; undefined when absent or not plainly an id. */
export function clientRequestId(request: IncomingMessage): string | undefined {
  const text = request.headers['x-request-id'];
  return typeof text === 'string' && INBOUND.test(text) ? text : undefined;
}
