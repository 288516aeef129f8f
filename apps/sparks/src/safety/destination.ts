import { BlockList, isIPv4 } from 'node:net';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
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

/** Not globally reachable by IANA's special-purpose registry (RFC 6890 and its successors), and multicast. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * Of IPv6 only 2000::/3 is public (RFC 4291, 2.4), except for these blocks. Addresses that embed an IPv4 address count as
 * private whatever it is: mapped, NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380).
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = blocksOf(SPECIAL_IPV4, 'ipv4');
const specialGlobal = blocksOf(SPECIAL_IPV6, 'ipv6');
const global = blocksOf(['2000::/3'], 'ipv6');

/** Names that resolve only inside a network or on the visitor's machine (RFC 6761, 6762, 8375; ICANN's .internal). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|lan|intranet|corp|home|home\.arpa)$/;

/**
 * Whether a URL leads into a private network by its text alone. `hostname` is that of a parsed URL: `0x7f.1` and
 * `2130706433` have become `127.0.0.1`. A public name with a private address is not detected, because names are never
 * resolved.
 */
export function isPrivateDestination(hostname: string): boolean {
  if (isIPv4(hostname)) return special.check(hostname, 'ipv4');
  if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
  const name = hostname.replace(/\.+$/, '');
  return !name.includes('.') || LOCAL_NAME.test(name);
}

function isPrivateIpv6(address: string): boolean {
  return !global.check(address, 'ipv6') || specialGlobal.check(address, 'ipv6');
}

function blocksOf(blocks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network, bits] = block.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** A source of warnings: the operator's blocklist or Web Risk. */
export interface SafetySource {
  /** The reason for a warning; undefined without a finding, `unchecked` without an answer before `signal` aborts. */
  check(destination: Destination, signal: AbortSignal): Promise<WarningReason | undefined>;
}
