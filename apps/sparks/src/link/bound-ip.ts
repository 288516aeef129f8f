import { isIP, SocketAddress } from 'node:net';
import { validationError } from '@vaultsvc/contracts';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The address in the one form in which addresses are compared: `::ffff:192.0.2.1` is 192.0.2.1 (RFC 4291, 2.5.5.2),
 * IPv6 as RFC 5952 writes it. Undefined for anything else, a zone included.
 */
export function normalizeIp(text: string): string | undefined {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: version === 4 ? 'ipv4' : 'ipv6' });
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}

/** `bound_ip` of a link Spark (SPK-11); 400 for what is no address, and on a Spark that has no link. */
export function readBoundIp(text: string | undefined, hasLink: boolean): string | null {
  if (text === undefined) return null;
  if (!hasLink)
    throw validationError({ field: 'bound_ip', message: 'bound_ip is for content_type text/uri-list only' });
  const address = normalizeIp(text);
  if (address === undefined)
    throw validationError({ field: 'bound_ip', message: 'bound_ip must be an IPv4 or IPv6 address' });
  return address;
}
