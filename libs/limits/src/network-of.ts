import { isIPv6 } from 'node:net';

/**
 * The network that one caller commands: an IPv4 address as it is, the /64 of an IPv6 address. Every IPv6 subscriber
 * has at least 2^64 addresses (RFC 6177), so counting single ones would count nothing.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::') as [string, string?];
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
