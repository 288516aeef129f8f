import { createHash, randomBytes } from 'node:crypto';
import { Browser } from './browser.js';

/** The platform's registration as a client of a provider. */
export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** The body of `POST /v1/auth/identity/token`. */
export interface ProvedCode {
  readonly code: string;
  readonly code_verifier: string;
}

export interface AuthorizationOptions {
  /** Added to the parameters of the request, or overriding them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Fields submitted to the provider's page. A page without them is an error. */
  readonly form?: Record<string, string>;
}

const STEPS_MAX = 10;

/**
 * Gets an authorization code like a browser: redirects, cookies, a form (RFC 6749, 4.1; RFC 7636).
 * @throws with the provider's page when the provider refuses; with its query when it redirects back without a code
 */
export async function authorize(
  client: OidcClient,
  { parameters = {}, form }: AuthorizationOptions,
): Promise<ProvedCode> {
  const verifier = randomBytes(32).toString('base64url');
  const returned = await followRedirects(
    client.redirectUri,
    authorizationUrl(client, verifier, parameters),
    form,
  );
  const code = returned.searchParams.get('code');
  if (!code) throw new Error(`the identity provider returned no code: ${returned.search}`);
  return { code, code_verifier: verifier };
}

/** Follows redirects from the first page to the redirect URI. */
async function followRedirects(
  redirectUri: string,
  start: string,
  form?: Record<string, string>,
): Promise<URL> {
  const browser = new Browser();
  let next = browser.get(start);
  for (let step = 0; step < STEPS_MAX; step++) {
    const { url, status, location, text } = await next;
    if (location?.startsWith(redirectUri)) return new URL(location);
    if (location === undefined && !(form && status === 200))
      throw new Error(`the identity provider responds ${status} at ${new URL(url).pathname}: ${text}`);
    next = location === undefined ? browser.post(url, form ?? {}) : browser.get(location);
  }
  throw new Error('the identity provider redirects in a loop');
}

function authorizationUrl(
  { issuer, clientId, redirectUri }: OidcClient,
  verifier: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    scope: 'openid email profile',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return `${issuer}/auth?${query.toString()}`;
}
