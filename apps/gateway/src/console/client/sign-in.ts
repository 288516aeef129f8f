import type { SignInClient } from '@vaultsvc/contracts/auth';
import { ApiError, ConnectionError } from '@vaultsvc/client';

/** Where this tab keeps the sign-in that it has started, until the provider redirects back. */
const PENDING = 'vaultsvc-console-sign-in';

/** The body of `POST /v1/auth/identity/token`. */
export interface AuthorizationGrant {
  readonly code: string;
  readonly code_verifier: string;
}

interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly issuer: string;
  /** The query of the page to return to, with its filter. */
  readonly search: string;
}

/** A sign-in that failed at the provider, with a sentence for the person. */
export class SignInRefused extends Error {}

/**
 * Sends the person to the identity provider: authorization code with PKCE (RFC 7636). The service verifies the ID token and
 * never passes it on, so there is no nonce to check; the verifier, which only this tab has, makes a stolen code useless.
 * @param prompt `login` asks who the person is, even if the provider remembers somebody
 */
export async function startSignIn(prompt?: 'login'): Promise<void> {
  const client = await readClient();
  const pending = {
    state: randomText(),
    verifier: randomText(),
    issuer: client.issuer,
    search: location.search,
  };
  sessionStorage.setItem(PENDING, JSON.stringify(pending satisfies PendingSignIn));
  const url = new URL(client.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: 'openid email profile',
    state: pending.state,
    code_challenge: base64url(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier)),
    ),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/**
 * The grant in the URL of the redirect URI, which then becomes the URL of the page, also in the history.
 * @throws SignInRefused for a refusal, and for an answer to a sign-in that this tab has not started
 */
export function finishSignIn(page: string): AuthorizationGrant {
  const answer = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null') as PendingSignIn | null;
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', page + (pending?.search ?? ''));
  if (!pending || answer.get('state') !== pending.state)
    throw new SignInRefused('This answer belongs to another sign-in. Sign in again.');
  // RFC 9207, 2.4: an answer of another provider must not be used at ours.
  if ((answer.get('iss') ?? pending.issuer) !== pending.issuer)
    throw new SignInRefused('This answer comes from another identity provider. Sign in again.');
  const code = answer.get('code');
  if (!code)
    throw new SignInRefused(
      `The identity provider refused: ${answer.get('error_description') ?? answer.get('error') ?? 'it named no reason'}.`,
    );
  return { code, code_verifier: pending.verifier };
}

async function readClient(): Promise<SignInClient> {
  const response = await fetch('/console/sign-in.json', { redirect: 'error' }).catch((error: unknown) => {
    throw new ConnectionError(error);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  // A page of a proxy may have any status.
  if (!response.ok || answer === undefined) throw ApiError.of(response, answer);
  return answer as SignInClient;
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
