import { isIP } from 'node:net';

/** Whether this host may be reached over plain HTTP: loopback, in the local profile. */
export interface ProviderFetchOptions {
  readonly allowsLoopbackHttp: boolean;
}

/** A request of openid-client or jose. */
export type ProviderFetch = (url: string, options: RequestInit) => Promise<Response>;

/**
 * Sends every request to the identity provider, so that no URL from discovery carries a code, a secret or a key set over plain
 * HTTP (RFC 6749, 3.2; OpenID Connect Core, 16.17), and no redirect is followed.
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
