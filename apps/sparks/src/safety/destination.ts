import { urlHashes } from './url-expressions.js';

/** A URL that is being checked, read once for all who are asked about it. */
export interface Destination {
  /** As a browser connects to it: in lower case, in ASCII, without the root's dot; IPv6 in brackets. */
  readonly host: string;
  /** Of what it may be listed under. */
  readonly hashes: readonly Buffer[];
}

/** Read by the browser's own rules first, so that what is checked is where it goes: `/a\b` is `/a/b` there. */
export function readDestination(url: string): Destination {
  const { hostname, href } = new URL(url);
  return { host: hostname.replace(/\.+$/, ''), hashes: urlHashes(href) };
}
