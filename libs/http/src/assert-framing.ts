import type { IncomingMessage } from 'node:http';
import { validationError } from '@vaultsvc/contracts';
import { assertOnce } from './read-body.js';

const HEADERS_MAX = 100;

/** A registered name, an IPv4 address or a bracketed IPv6 address, and a port (RFC 3986, 3.2.2); may be empty. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** What Node's parser lets pass and another reader of the same bytes might not. */
export function assertFraming(request: IncomingMessage): void {
  assertHost(request);
  assertOnce(request, 'Authorization');
  if (request.rawHeaders.length > 2 * HEADERS_MAX) {
    throw validationError({ field: 'headers', message: `must be ${HEADERS_MAX} at most` });
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersion === '1.0')) {
    throw validationError({ field: 'Transfer-Encoding', message: 'must be chunked' });
  }
}

/** Exactly one in HTTP/1.1 (RFC 9112, 3.2). Node would refuse a missing one itself, but not in our envelope. */
function assertHost(request: IncomingMessage): void {
  const { host } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    throw validationError({ field: 'Host', message: 'must be present' });
  }
  if (host !== undefined && !HOST.test(host)) {
    throw validationError({ field: 'Host', message: 'must be a host and a port' });
  }
  assertOnce(request, 'Host');
}
