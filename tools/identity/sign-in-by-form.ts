import { createHash, randomBytes } from 'node:crypto';

/**
 * Signs in as a browser would, form and redirects included, and exchanges the code as the API would.
 * @param options.verifier another one than it began with
 * @throws with the page, when it shows the form again; with the error, when the exchange is refused
 */
export async function signInByForm(
  issuer: string,
  clientId: string,
  typed: { email: string; name?: string },
  { verifier }: { verifier?: string } = {},
) {
  const begun = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(begun).digest('base64url');
  const question = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${issuer}/signin`,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const code = await codeFrom(new Browser(), `${issuer}/auth?${question.toString()}`, typed);
  const exchange = () => exchangeCode(issuer, clientId, code, verifier ?? begun);
  return { id_token: await exchange(), exchangeAgain: exchange };
}

/** Cookies and redirects, one step at a time. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(url: string, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const method = form ? 'POST' : 'GET';
    const response = await fetch(url, { method, body: form, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

async function codeFrom(browser: Browser, start: string, typed: Record<string, string>): Promise<string> {
  let url = start;
  let form: URLSearchParams | undefined;
  for (;;) {
    const response = await browser.open(url, form);
    if (response.status === 200) form = new URLSearchParams(typed);
    else if (response.status === 303) {
      form = undefined;
      url = new URL(response.headers.get('location') ?? '', url).href;
      const code = new URL(url).searchParams.get('code');
      if (code) return code;
    } else throw new Error(await response.text());
  }
}

async function exchangeCode(
  issuer: string,
  clientId: string,
  code: string,
  verifier: string,
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: `${issuer}/signin`,
    code,
    code_verifier: verifier,
  });
  const response = await fetch(`${issuer}/token`, { method: 'POST', body });
  const { id_token, error } = (await response.json()) as { id_token: string; error?: string };
  if (error) throw new Error(error);
  return id_token;
}
