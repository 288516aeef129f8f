import { isIP, SocketAddress } from 'node:net';
import { validationError } from '@vaultsvc/contracts';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The canonical form of an address: `::ffff:192.0.2.1` becomes 192.0.2.1 (RFC 4291, 2.5.5.2), IPv6 has the form of
 * RFC 5952. Undefined for any other text, including an address with a zone.
 */
export function normalizeIp(text: string): string | undefined {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: version === 4 ? 'ipv4' : 'ipv6' });
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}

/** `bound_ip` of a link Spark (SPK-11); 400 for a text that is not an address, and for a Spark without a link. */
export function readBoundIp(text: string | undefined, hasLink: boolean): string | null {
  if (text === undefined) return null;
  if (!hasLink)
    throw validationError({ field: 'bound_ip', message: 'bound_ip is for content_type text/uri-list only' });
  const address = normalizeIp(text);
  if (address === undefined)
    throw validationError({ field: 'bound_ip', message: 'bound_ip must be an IPv4 or IPv6 address' });
  return address;
}
