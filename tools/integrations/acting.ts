import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';

/** How a fake acts as its provider: it signs requests as the provider does and sends them to our API. */

/** The answer of our API. */
interface Delivered {
  status: number;
  text: string;
}

async function deliver(url: string, body: string, headers: Record<string, string>): Promise<Delivered> {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

/** The chat platform: webhooks with the signature v0. */
export class ActingChat {
  apiUrl;
  readonly base;
  readonly signingSecret;

  constructor({ apiUrl, signingSecret }: { apiUrl: string; signingSecret: string }) {
    this.apiUrl = apiUrl;
    this.base = `${apiUrl}/v1/apps/chatapp/webhooks`;
    this.signingSecret = signingSecret;
  }

  /** @param form of a slash command */
  command(form: Record<string, string>) {
    return this.#send('commands', new URLSearchParams({ command: '/secret', ...form }).toString(), 'form');
  }

  /** @param payload of an interaction */
  interaction(payload: object) {
    return this.#send(
      'interactions',
      new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
      'form',
    );
  }

  /** @param envelope of an event */
  event(envelope: object) {
    return this.#send('events', JSON.stringify(envelope), 'json');
  }

  #send(path: string, body: string, type: 'form' | 'json') {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const code = createHmac('sha256', this.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
    return deliver(`${this.base}/${path}`, body, {
      'Content-Type': type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      'X-Chat-Request-Timestamp': timestamp,
      'X-Chat-Signature': `v0=${code}`,
    });
  }
}

/** The twelve escapes that the first CRM decodes in the URI before it signs. */
const DECODED = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;
/** The API that the app's settings permit its pages to fetch. */
const PERMITTED = '/v1/apps/crma/';

/** The first CRM: its proxy appends the person and the portal, and signs with v3. */
export class ActingCrma {
  apiUrl;
  readonly clientSecret;

  constructor({ apiUrl, clientSecret }: { apiUrl: string; clientSecret: string }) {
    this.apiUrl = apiUrl;
    this.clientSecret = clientSecret;
  }

  /**
   * A request of a person's page, as `hubspot.fetch` forwards it. The page chooses the path with a query of its own; the proxy
   * appends the person and the portal. Any permitted path can be reached so, also that of the webhooks.
   * @param request `path` is below `/v1/apps/crma/`
   */
  proxy({ path, portalId, userId, body }: { path: string; portalId: string; userId: string; body: unknown }) {
    const url = new URL(path.startsWith('/') ? path : PERMITTED + path, this.apiUrl);
    if (url.origin !== this.apiUrl || !url.pathname.startsWith(PERMITTED))
      return Promise.resolve({ status: 400, text: 'The URL is not one of permittedUrls.' });
    const person = new URLSearchParams({ userId, portalId, userEmail: 'ada@example.com', appId: '54321' });
    return this.#send(`${url.pathname}${url.search}${url.search ? '&' : '?'}${person.toString()}`, body);
  }

  webhook(events: object | object[]) {
    return this.#send('/v1/apps/crma/webhooks', events);
  }

  /** A request that gets a 5xx is repeated once as it is: with the same signature and time. */
  async #send(target: string, given: unknown) {
    const body = JSON.stringify(given);
    const headers = { 'Content-Type': 'application/json', ...this.#signature(target, body) };
    const first = await deliver(this.apiUrl + target, body, headers);
    return first.status < 500 ? first : deliver(this.apiUrl + target, body, headers);
  }

  #signature(target: string, body: string) {
    const timestamp = String(Date.now());
    const uri = this.apiUrl + target.replace(DECODED, (escape) => decodeURIComponent(escape));
    const source = `POST${uri}${body}${timestamp}`;
    return {
      'X-Crma-Request-Timestamp': timestamp,
      'X-Crma-Signature-V3': createHmac('sha256', this.clientSecret).update(source).digest('base64'),
    };
  }
}

/** The longest life of a session (OPEN-38). */
const SESSION_SECONDS = 600;

/** The second CRM: its panel presents a session of the org. */
export class ActingCrmb {
  #secrets;

  apiUrl;
  readonly sessionSecret;

  /** @param options `secrets` of single orgs */
  constructor({
    apiUrl,
    sessionSecret,
    secrets = new Map(),
  }: {
    apiUrl: string;
    sessionSecret: string;
    secrets?: Map<string, string>;
  }) {
    this.apiUrl = apiUrl;
    this.sessionSecret = sessionSecret;
    this.#secrets = secrets;
  }

  /** An admin enters the secret of the org, with which its sessions are signed from now on. */
  enterSecret(orgId: string, secret: string) {
    this.#secrets.set(orgId.slice(0, 15), secret);
  }

  /** A request of a person of an org; `webhooks` is a path like the others. */
  async proxy({
    path,
    orgId,
    userId,
    isAdmin = false,
    body,
  }: {
    path: string;
    orgId: string;
    userId: string;
    isAdmin?: boolean;
    body: unknown;
  }) {
    return deliver(`${this.apiUrl}/v1/apps/crmb/${path}`, JSON.stringify(body), {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${await this.session({ orgId, userId, isAdmin })}`,
    });
  }

  session({ orgId, userId, isAdmin }: { orgId: string; userId: string; isAdmin: boolean }) {
    const secret = this.#secrets.get(orgId.slice(0, 15)) ?? this.sessionSecret;
    const issuedAt = Math.floor(Date.now() / 1_000);
    return new SignJWT({ org_id: orgId, user_id: userId, ...(isAdmin && { admin: true }) })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(this.apiUrl)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + SESSION_SECONDS)
      .sign(Buffer.from(secret));
  }
}
