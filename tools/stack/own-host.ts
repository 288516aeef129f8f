/**
 * Prevents DNS rebinding: a website may resolve its own host name to 127.0.0.1 and read a local server by a visitor's browser.
 * Such a request has that name in its Host header. A server that listens for local use answers it with 421 (RFC 9110, 15.5.20).
 */

/** The answer to a foreign Host, for people. */
export const FOREIGN_HOST = { status: 421, text: 'Use the host name localhost.' };

/** Loopback addresses as they are in URLs, `localhost` and names below it (RFC 6761, 6.3). */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[a-z\d-]+\.)*localhost)\.?$/;

/**
 * Whether a Host header names a loopback address or the host that the server listens on, with any port.
 * @param header the Host header, or `:authority` of HTTP/2
 * @param host that the server listens on
 */
export function isOwnHost(header: string | undefined, host?: string) {
  const name = (header ?? '').toLowerCase().replace(/:\d*$/, '');
  return LOOPBACK.test(name) || (host !== undefined && name === host.toLowerCase());
}
