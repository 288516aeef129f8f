const timeoutMs = 5000;

/** The provider that the API trusts says nothing of use. */
export class ProviderSilent extends Error {}

/**
 * Where the sign-in page sends people: to this provider, or to another one that the stack was told to trust.
 * @param {string} trusted the issuer that the API believes
 * @param {string} own this provider's issuer
 * @returns {() => Promise<string>} found once, after the first answer
 */
export function authorizationEndpoint(trusted, own) {
  if (trusted === own) return async () => `${own}/auth`;
  /** @type {string | undefined} */
  let found;
  return async () => (found ??= await discover(trusted));
}

/** @param {string} issuer */
async function discover(issuer) {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
  const { authorization_endpoint: endpoint } = (await response?.json().catch(() => undefined)) ?? {};
  // The page navigates to it: anything but a web address could be a script.
  if (typeof endpoint !== 'string' || !/^https?:\/\//.test(endpoint))
    throw new ProviderSilent(
      `The identity provider ${issuer} does not answer. Check OIDC_ISSUER, then reload.`,
    );
  return endpoint;
}
