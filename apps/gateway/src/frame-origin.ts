import { origin, type Parser } from '@vaultsvc/config';

/** An origin; `*.` in front of its host stands for all subdomains (CSP 3, 2.3.1: host-source). */
export const frameOrigin: Parser<string> = (text) => {
  const named = origin(text.replace('://*.', '://'));
  if (named.includes('*')) throw new Error('must be an origin such as https://*.example.com');
  return text;
};
