import { isIPv4 } from 'node:net';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import { isPrivateAddress } from '@vaultsvc/http';
import { urlHashes } from './url-hashing.js';

/** A URL to check, parsed once for all sources. */
export interface Destination {
  /** Lowercase ASCII without a trailing dot; IPv6 in brackets. */
  readonly host: string;
  /** The hashes of the expressions that a list may contain for it. */
  readonly hashes: readonly Buffer[];
}

/** Parses as a browser does, so that the checked URL is the visited one: to a browser `/a\b` is `/a/b`. */
export function readDestination(url: string): Destination {
  const { hostname, href } = new URL(url);
  return { host: hostname.replace(/\.+$/, ''), hashes: urlHashes(href) };
}

/** Names that resolve only inside a network or on the visitor's machine (RFC 6761, 6762, 8375; ICANN's .internal). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|lan|intranet|corp|home|home\.arpa)$/;

/**
 * Whether a URL leads into a private network by its text alone. `hostname` is that of a parsed URL: `0x7f.1` and
 * `2130706433` have become `127.0.0.1`. A public name with a private address is not detected, because names are never
 * resolved.
 */
export function isPrivateDestination(hostname: string): boolean {
  if (isIPv4(hostname)) return isPrivateAddress(hostname);
  if (hostname.startsWith('[')) return isPrivateAddress(hostname.slice(1, -1));
  const name = hostname.replace(/\.+$/, '');
  return !name.includes('.') || LOCAL_NAME.test(name);
}

/** A source of warnings: the operator's blocklist or Web Risk. */
export interface SafetySource {
  /** The reason for a warning; undefined without a finding, `unchecked` without an answer before `signal` aborts. */
  check(destination: Destination, signal: AbortSignal): Promise<WarningReason | undefined>;
}
