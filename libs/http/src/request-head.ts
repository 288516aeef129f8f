import type { IncomingMessage } from 'node:http';
import { validationError } from '@vaultsvc/contracts';

const HEADERS_MAX = 100;

/** A registered name, an IPv4 address or a bracketed IPv6 address, and a port (RFC 3986, 3.2.2); may be empty. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Throws VALIDATION_ERROR for a request head that Node's parser accepts and a proxy might read differently, which is how
 * requests are smuggled.
 */
export function assertFraming(request: IncomingMessage): void {
  assertHost(request);
  assertSingleHeader(request, 'Authorization');
  if (request.rawHeaders.length > 2 * HEADERS_MAX) {
    throw validationError({ field: 'headers', message: `must be ${HEADERS_MAX} at most` });
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersion === '1.0')) {
    throw validationError({ field: 'Transfer-Encoding', message: 'must be chunked' });
  }
}

/** Exactly one in HTTP/1.1 (RFC 9112, 3.2). Node would refuse a missing one too, but not in the envelope. */
function assertHost(request: IncomingMessage): void {
  const { host } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    throw validationError({ field: 'Host', message: 'must be present' });
  }
  if (host !== undefined && !HOST.test(host)) {
    throw validationError({ field: 'Host', message: 'must be a host and a port' });
  }
  assertSingleHeader(request, 'Host');
}

/** Throws VALIDATION_ERROR for a repeated header. Node keeps the first one; a proxy may have acted on the last. */
export function assertSingleHeader(
  { rawHeaders }: IncomingMessage,
  name: 'Authorization' | 'Content-Type' | 'Host',
): void {
  const lower = name.toLowerCase();
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i] as string;
    if (candidate.length === lower.length && candidate.toLowerCase() === lower) count += 1;
  }
  if (count > 1) throw validationError({ field: name, message: 'must be given once' });
}

export interface RequestTarget {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Path and query as they were sent, not normalised; of an absolute target (RFC 9112, 3.2.2) the part after the host. */
export function requestTarget(url: string): RequestTarget {
  const text = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = text.indexOf('?');
  return mark < 0 ? { path: text, query: '' } : { path: text.slice(0, mark), query: text.slice(mark + 1) };
}
