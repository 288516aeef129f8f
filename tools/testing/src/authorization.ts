import { createHash, randomBytes } from 'node:crypto';
import { Browser } from './browser.js';

/** Our client at a provider. */
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
  /** Of the request, beside those that every client sends, or instead of them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What is typed into the provider's page. A provider that shows one without being given this is an error. */
  readonly form?: Record<string, string>;
}

const STEPS_MAX = 10;

/**
 * An authorization code, the way a browser gets one: redirects, cookies, a form (RFC 6749, 4.1; RFC 7636).
 * @throws with the provider's page when it refuses; with its query when it sends the person back without a code
 */
export async function authorize(
  client: OidcClient,
  { parameters = {}, form }: AuthorizationOptions,
): Promise<ProvedCode> {
  const verifier = randomBytes(32).toString('base64url');
  const returned = await walk(client.redirectUri, authorizationUrl(client, verifier, parameters), form);
  const code = returned.searchParams.get('code');
  if (!code) throw new Error(`the identity provider gave no code: ${returned.search}`);
  return { code, code_verifier: verifier };
}

/** From the first page to where the provider sends the person back to. */
async function walk(redirectUri: string, start: string, form?: Record<string, string>): Promise<URL> {
  const browser = new Browser();
  let next = browser.get(start);
  for (let step = 0; step < STEPS_MAX; step++) {
    const { url, status, location, text } = await next;
    if (location?.startsWith(redirectUri)) return new URL(location);
    if (location === undefined && !(form && status === 200))
      throw new Error(`the identity provider answers ${status} at ${new URL(url).pathname}: ${text}`);
    next = location === undefined ? browser.post(url, form ?? {}) : browser.get(location);
  }
  throw new Error('the identity provider sends in circles');
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
