import { isIP } from 'node:net';

/** Whether plain http may be spoken to this host: the local profile's own machine. */
export interface ProviderFetchOptions {
  readonly allowsLoopbackHttp: boolean;
}

/** A request that openid-client or jose has made up. */
export type ProviderFetch = (url: string, options: RequestInit) => Promise<Response>;

/**
 * The only way to the identity provider. Every URL that discovery names comes through here, so that none of them leads
 * a code, a secret or a key set over plain http (RFC 6749, 3.2; OpenID Connect Core, 16.17), and none is redirected.
 */
export function providerFetch({ allowsLoopbackHttp }: ProviderFetchOptions): ProviderFetch {
  return async (url, options) => {
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || (protocol === 'http:' && allowsLoopbackHttp && isLoopback(hostname)))
      return fetch(url, { ...options, redirect: 'manual' });
    throw new Error(`the identity provider must be asked over https, not at ${protocol}//${hostname}`);
  };
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === '[::1]' || hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}
