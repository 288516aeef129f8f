import { ApiError, ConnectionError } from '@vaultsvc/client';
import { sessionTexts } from '../texts/session.js';
import { keepPending, takePending } from './pending-sign-in.js';

/** The body of `POST /v1/auth/identity/token`. */
export interface AuthorizationGrant {
  readonly code: string;
  readonly code_verifier: string;
}

/** What `GET /console/sign-in.json` answers; none of it is secret. */
interface SignInClient {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly client_id: string;
  readonly redirect_uri: string;
}

/** A sign-in that failed at the provider, with a sentence for the person. */
export class SignInRefused extends Error {}

/**
 * Sends the person to the identity provider: authorization code with PKCE (RFC 7636). The service verifies the ID token and
 * never passes it on, so there is no nonce to check.
 * @param returnTo the path to return to
 * @param prompt `login` asks who the person is, even if the provider remembers somebody
 */
export async function startSignIn(returnTo: string, prompt?: 'login'): Promise<void> {
  const client = await readClient();
  const pending = { state: randomText(), verifier: randomText(), issuer: client.issuer, returnTo };
  keepPending(pending);
  const url = new URL(client.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: 'openid email profile',
    state: pending.state,
    code_challenge: await challengeOf(pending.verifier),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** A sign-in that the provider has answered. */
export interface FinishedSignIn {
  readonly returnTo: string;
  /** @throws SignInRefused for a refusal, and for an answer to a sign-in that this tab has not started */
  readonly grant: () => AuthorizationGrant;
}

/** Reads the answer in the URL of the redirect URI, and removes it from the URL and from the history. */
export function finishSignIn(): FinishedSignIn {
  const answer = new URLSearchParams(location.search);
  const pending = takePending();
  const returnTo = pending?.returnTo ?? '/app';
  history.replaceState(null, '', returnTo);
  return {
    returnTo,
    grant: () => {
      if (!pending || answer.get('state') !== pending.state)
        throw new SignInRefused(sessionTexts.foreignAnswer);
      // RFC 9207, 2.4: an answer of another provider must not be used at ours.
      if ((answer.get('iss') ?? pending.issuer) !== pending.issuer)
        throw new SignInRefused(sessionTexts.foreignProvider);
      const code = answer.get('code');
      if (!code)
        throw new SignInRefused(
          sessionTexts.providerRefused(answer.get('error_description') ?? answer.get('error')),
        );
      return { code, code_verifier: pending.verifier };
    },
  };
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

async function challengeOf(verifier: string): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
