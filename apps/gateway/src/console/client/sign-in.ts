import type { SignInClient } from '@vaultsvc/contracts/auth';
import { ApiError, ConnectionError } from '@vaultsvc/client';

/** Where this tab keeps the sign-in that it has started; the web application, which completes it, reads it (session/pending-sign-in.ts). */
const PENDING = 'vaultsvc-sign-in';

/**
 * Sends the person to the identity provider: authorization code with PKCE (RFC 7636). The service verifies the ID token and
 * never passes it on, so there is no nonce to check; the verifier, which only this tab has, makes a stolen code useless. The web
 * application opens the session and leads back.
 * @param prompt `login` asks who the person is, even if the provider remembers somebody
 */
export async function startSignIn(prompt?: 'login'): Promise<void> {
  const client = await readClient();
  const pending = {
    state: randomText(),
    verifier: randomText(),
    issuer: client.issuer,
    returnTo: location.pathname + location.search,
  };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
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
