import { BlockList, isIP } from 'node:net';
import type { Parser } from '../parsers.js';

/** RFC 1122, 3.2.1.3, and RFC 4291, 2.5.3. It also matches IPv4-mapped addresses of the first. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether the host is `localhost` or a loopback address, which may have the brackets that it has in a URL. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(name);
  return name === 'localhost' || (version !== 0 && loopback.check(name, version === 4 ? 'ipv4' : 'ipv6'));
}

/** Whether requests to a URL are encrypted, or stay on this machine, where an emulator may listen. */
export function isProtectedUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** The origin of a provider's API: `https://api.push.apple.com`. Plain HTTP is accepted for an emulator on loopback only. */
export const protectedOrigin: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && isProtectedUrl(url) && url.origin === text) return text;
  throw new Error('must be an origin such as https://api.example.com, without a path');
};
