import type { Parser } from './parsers.js';

/** Whether the host is a loopback address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether requests to a URL are encrypted, or stay on this machine, where an emulator may listen. */
export function isProtectedUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
}

/** The origin of a provider's API: `https://api.push.apple.com`. Plain HTTP is accepted for an emulator on loopback only. */
export const protectedOrigin: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && isProtectedUrl(url) && url.origin === text) return text;
  throw new Error('must be an origin such as https://api.example.com, without a path');
};
