import { isLoopback } from '@vaultsvc/config';
import { createRemoteJWKSet, customFetch as customJwksFetch } from 'jose';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  None,
  type ClientAuth,
  type ServerMetadata,
} from 'openid-client';
import type { AuthConfig } from '../config.js';
import type { ProviderKeys } from './id-token.js';

const TIMEOUT_SECONDS = 5;
/** A key removed from the provider's set is trusted this long at most; a new key works at once. */
const KEYS_MS = 10 * 60_000;
/** Minimum time between two requests for the key set that tokens with unknown keys can cause. */
export const KEYS_COOL_DOWN_MS = 500;

/** The provider as its discovery document describes it (OpenID Connect Discovery, 3 and 4). */
export interface DiscoveredProvider {
  /** The exact `iss` of the provider's tokens. */
  readonly issuer: string;
  readonly hasUserinfo: boolean;
  /** Client and endpoints, for openid-client. */
  readonly configuration: Configuration;
  readonly keys: ProviderKeys;
}

/**
 * Runs discovery at the configured provider.
 * @throws the error of openid-client, or one that names the missing metadata
 */
export async function discoverProvider(config: AuthConfig): Promise<DiscoveredProvider> {
  const isLocal = config.PROFILE === 'local';
  const ask = providerFetch({ allowsLoopbackHttp: isLocal });
  // The library's own check accepts https only; ours also accepts loopback, and sees every request.
  const insecure = isLocal ? { execute: [allowInsecureRequests] } : {};
  const url = new URL(config.OIDC_ISSUER);
  const options = { [customFetch]: ask, timeout: TIMEOUT_SECONDS, ...insecure };
  const metadata = (await discovery(url, config.OIDC_CLIENT_ID, undefined, None(), options)).serverMetadata();
  assertIssuer(metadata, url);
  return {
    issuer: metadata.issuer,
    hasUserinfo: metadata.userinfo_endpoint !== undefined,
    configuration: configurationOf(config, metadata, ask),
    keys: keysOf(metadata, ask),
  };
}

/** The library lets some providers return another issuer. Here identities belong to one issuer, so it must match. */
function assertIssuer({ issuer }: ServerMetadata, asked: URL): void {
  if (new URL(issuer).href !== asked.href)
    throw new Error(`${asked.href} says that it is ${issuer}; OIDC_ISSUER must be what the provider says`);
}

function configurationOf(config: AuthConfig, metadata: ServerMetadata, ask: ProviderFetch): Configuration {
  const auth = clientAuthOf(config.OIDC_CLIENT_SECRET.reveal(), metadata);
  const configuration = new Configuration(metadata, config.OIDC_CLIENT_ID, undefined, auth);
  configuration[customFetch] = ask;
  configuration.timeout = TIMEOUT_SECONDS;
  if (config.PROFILE === 'local') allowInsecureRequests(configuration);
  return configuration;
}

/** Without a secret we are a public client. If a provider lists no methods, `client_secret_basic` applies (RFC 8414, 2). */
function clientAuthOf(secret: string, metadata: ServerMetadata): ClientAuth {
  if (secret === '') return None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

function keysOf({ jwks_uri: url }: ServerMetadata, ask: ProviderFetch): ProviderKeys {
  if (url === undefined) throw new Error('the discovery document names no jwks_uri');
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_SECONDS * 1_000,
    cooldownDuration: KEYS_COOL_DOWN_MS,
    cacheMaxAge: KEYS_MS,
    [customJwksFetch]: ask,
  });
}

/** Whether this host may be reached over plain HTTP: loopback, in the local profile. */
export interface ProviderFetchOptions {
  readonly allowsLoopbackHttp: boolean;
}

/** A request of openid-client or jose. */
export type ProviderFetch = (url: string, options: RequestInit) => Promise<Response>;

/**
 * Sends every request to the identity provider, so that no URL from discovery carries a code, a secret or a key set over plain
 * HTTP (RFC 6749, 3.2; OpenID Connect Core, 16.17), and no redirect is followed. openid-client and jose make their requests with
 * a `fetch` and limit its time, so this is one and not `sendOutbound`.
 */
export function providerFetch({ allowsLoopbackHttp }: ProviderFetchOptions): ProviderFetch {
  return async (url, options) => {
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || (protocol === 'http:' && allowsLoopbackHttp && isLoopback(hostname)))
      return fetch(url, { ...options, redirect: 'manual' });
    throw new Error(`the identity provider must be asked over https, not at ${protocol}//${hostname}`);
  };
}
