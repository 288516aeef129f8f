import { createHash, randomBytes } from 'node:crypto';

/** Somebody as the local identity provider takes them: whoever types an address is its owner. */
export interface Person {
  readonly email: string;
  /** What stands before the @ when absent. */
  readonly name?: string;
}

/** The body of `POST /v1/auth/identity/token`. */
export interface ProvedCode {
  readonly code: string;
  readonly code_verifier: string;
}

/** Signs people in at the local identity provider (tools/identity), as our client would have it done. */
export interface IdentityClient {
  /** An ID token, without a browser. */
  idToken(person: Person & { readonly email_verified?: boolean }): Promise<string>;
  /** An authorization code, the way a browser gets one: redirects, cookies, a form. */
  code(person: Person): Promise<ProvedCode>;
}

export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export function identityAt(client: OidcClient): IdentityClient {
  return {
    idToken: (person) => idToken(client.issuer, person),
    code: (person) => authorize(client, person),
  };
}

async function idToken(issuer: string, person: object): Promise<string> {
  const answer = await fetch(`${issuer}/token-for`, { method: 'POST', body: JSON.stringify(person) });
  const { id_token, error } = (await answer.json()) as { id_token?: string; error?: string };
  if (id_token === undefined) throw new Error(`the identity provider gave no ID token: ${error}`);
  return id_token;
}

const STEPS_MAX = 10;

async function authorize(client: OidcClient, { email, name = '' }: Person): Promise<ProvedCode> {
  const verifier = randomBytes(32).toString('base64url');
  const browser = new Browser();
  let next = browser.get(authorizationUrl(client, verifier));
  for (let step = 0; step < STEPS_MAX; step++) {
    const { url, status, location } = await next;
    const code = location?.startsWith(client.redirectUri) && new URL(location).searchParams.get('code');
    if (code) return { code, code_verifier: verifier };
    if (location === undefined && status !== 200)
      throw new Error(`the identity provider answers ${status} at ${url.split('?')[0]}`);
    next = location === undefined ? browser.post(url, { email, name }) : browser.get(location);
  }
  throw new Error('the identity provider sends in circles');
}

function authorizationUrl({ issuer, clientId, redirectUri }: OidcClient, verifier: string): string {
  const url = new URL('/auth', issuer);
  url.search = new URLSearchParams({
    response_type: 'code',
    scope: 'openid email profile',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return url.href;
}

interface Visited {
  readonly url: string;
  readonly status: number;
  /** Where it sends the browser on to; absolute. */
  readonly location: string | undefined;
}

/** As little of a browser as a sign-in needs: it keeps cookies, and stands still before each redirect. */
class Browser {
  readonly #cookies = new Map<string, string>();

  get(url: string): Promise<Visited> {
    return this.#visit(url, {});
  }

  post(url: string, form: Record<string, string>): Promise<Visited> {
    return this.#visit(url, { method: 'POST', body: new URLSearchParams(form) });
  }

  async #visit(url: string, request: RequestInit): Promise<Visited> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...request, redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    await answer.arrayBuffer();
    const location = answer.headers.get('location');
    return {
      url,
      status: answer.status,
      location: location === null ? undefined : new URL(location, url).href,
    };
  }

  #keep(setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    this.#cookies.set(name, value);
  }
}
