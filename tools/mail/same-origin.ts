import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of this inbox, or no page, sends a request. A website that a developer visits must not delete messages.
 * Browsers name the origin of the sender in Sec-Fetch-Site, which pages cannot set (Fetch Metadata); older ones in Origin.
 */
export function isSameOrigin({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders) {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === `http://${host}`;
}
