import type { IncomingHttpHeaders } from 'node:http';
import { validationError } from '@vaultsvc/contracts';

/** The subprotocol that the gateway selects. */
export const FEED_PROTOCOL = 'vaultsvc.v1';

/** A token of RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;

/** The header that a client sends which is no browser, by the prefix of its subprotocol. */
const CREDENTIALS = [
  { prefix: 'bearer.', headerOf: (token: string) => ({ authorization: `Bearer ${token}` }) },
  { prefix: 'api-key.', headerOf: (key: string) => ({ 'x-api-key': key }) },
] as const;

/**
 * The headers with the credential that a browser sends as a subprotocol, because its pages can set no header of a WebSocket.
 * The URL never has one: URLs are logged. Headers have precedence.
 */
export function withProtocolCredential(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const offered = protocolsOf(headers);
  const credentials = CREDENTIALS.flatMap(({ prefix, headerOf }) =>
    offered.filter((name) => name.startsWith(prefix)).map((name) => headerOf(name.slice(prefix.length))),
  );
  return { ...credentials[0], ...headers };
}

/** Throws VALIDATION_ERROR unless the client offers no subprotocol, or ours among distinct ones (RFC 6455, 4.1). */
export function assertProtocols(headers: IncomingHttpHeaders): void {
  if (headers['sec-websocket-protocol'] === undefined) return;
  const offered = protocolsOf(headers);
  const isList = offered.every((name) => TOKEN.test(name)) && new Set(offered).size === offered.length;
  if (!isList || !offered.includes(FEED_PROTOCOL))
    throw validationError({
      field: 'Sec-WebSocket-Protocol',
      message: `must be distinct names, among them ${FEED_PROTOCOL}`,
    });
}

function protocolsOf({ 'sec-websocket-protocol': header = '' }: IncomingHttpHeaders): string[] {
  return header.split(',').map((name) => name.trim());
}
