const timeoutMs = 5000;

/** The provider that the API trusts does not answer its discovery document. */
export class ProviderUnavailable extends Error {}

/**
 * The URL to which the sign-in page redirects: of this provider, or of another one that the API trusts.
 * @param trusted the issuer that the API trusts
 * @param own this provider's issuer
 * @returns cached after the first successful discovery
 */
export function authorizationEndpoint(trusted: string, own: string): () => Promise<string> {
  if (trusted === own) return async () => `${own}/auth`;
  let found: string | undefined;
  return async () => (found ??= await discover(trusted));
}

async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
  const endpoint = endpointIn(await response?.json().catch(() => undefined));
  // The page navigates to it, so a `javascript:` URL must be rejected.
  if (typeof endpoint !== 'string' || !/^https?:\/\//.test(endpoint))
    throw new ProviderUnavailable(
      `The identity provider ${issuer} does not answer. Check OIDC_ISSUER, then reload.`,
    );
  return endpoint;
}

function endpointIn(document: unknown): unknown {
  const isObject = typeof document === 'object' && document !== null;
  return isObject && 'authorization_endpoint' in document ? document.authorization_endpoint : undefined;
}
