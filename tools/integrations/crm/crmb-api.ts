import { randomBytes } from 'node:crypto';
import type { ActingCrmb } from '../acting.ts';
import { consent } from '../consent.ts';
import { FakeServer, type ProviderCall, type Route } from '../fake-server.ts';
import { fieldsOf, textOf, type Fields } from '../fields.ts';
import { KeptMap } from '../kept-map.ts';
import { pageRoutes } from '../pages/pages.ts';
import { isAccepted, orgIdOf } from '../workspace-id.ts';
import { crmbPeople, crmbRecords } from './crmb-people.ts';
import { longId } from './salesforce-id.ts';

const [ada] = crmbPeople;
const INVALID_GRANT = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'authentication failure' },
};

/** The second CRM with the conventions of Salesforce; its one instance is at its own origin. */
export class CrmbProvider extends FakeServer {
  /** the org and the refresh token of their grant, by access token and by refresh token */
  #tokens: KeptMap<string, string>;
  #client;

  /**
   * @param client the credentials of the app
   * @param acting sends requests to our API: `POST /_send/proxy`
   * @param path of the file that keeps its tokens
   */
  constructor(client: { clientId: string; clientSecret: string }, acting?: ActingCrmb, path?: string) {
    super(
      new Map<string, Route>([
        ['GET /services/oauth2/authorize', consent],
        ['POST /services/oauth2/token', ({ body }) => this.#token(body)],
        ['GET /services/oauth2/userinfo', ({ token }) => this.#userinfo(token)],
        ['POST /services/oauth2/revoke', ({ body }) => this.#revoke(textOf(body.token))],
        ['GET /_workspaces', () => ({ body: this.#orgs().map((id) => ({ id, name: `Org ${id}` })) })],
        ['GET /_people', () => ({ body: crmbPeople })],
        ['GET /_records', () => ({ body: crmbRecords })],
      ]),
    );
    this.#client = client;
    this.#tokens = new KeptMap(path);
    if (acting)
      this.addRoutes(pageRoutes('crmb', acting.apiUrl)).addRoutes(
        new Map<string, Route>([
          ['POST /_send/proxy', (call) => this.#proxy(acting, call)],
          [
            'POST /_secrets',
            ({ body }) => {
              acting.enterSecret(String(body.orgId), String(body.secret));
              return { body: { ok: true } };
            },
          ],
        ]),
      );
  }

  /**
   * An admin uninstalls the app: all tokens of the org end, and a refresh is answered with `invalid_grant`.
   * @param org with 15 or 18 characters
   */
  uninstall(org: string) {
    for (const [one, grant] of this.#tokens) if (orgOf(grant) === org.slice(0, 15)) this.#tokens.delete(one);
  }

  #token({ client_id, client_secret, grant_type, code, redirect_uri, refresh_token: given }: Fields) {
    if (client_id !== this.#client.clientId || client_secret !== this.#client.clientSecret)
      return { status: 400, body: { error: 'invalid_client_id' } };
    const isCode = grant_type === 'authorization_code' && redirect_uri && isAccepted(code);
    const org = isCode ? orgIdOf(code) : orgOf(this.#tokens.get(textOf(given)));
    if (!org) return INVALID_GRANT;
    const access_token = `${org}!${randomBytes(24).toString('base64url')}`;
    const refresh_token = typeof given === 'string' ? given : randomBytes(24).toString('base64url');
    const grant = `${org} ${refresh_token}`;
    this.#tokens.set(access_token, grant).set(refresh_token, grant);
    return {
      body: {
        access_token,
        refresh_token,
        instance_url: this.url,
        id: this.#identityUrl(org),
        issued_at: String(Date.now()),
        token_type: 'Bearer',
        scope: 'api refresh_token',
      },
    };
  }

  #userinfo(token: string) {
    const org = orgOf(this.#tokens.get(token));
    if (!org) return { status: 403, body: 'Bad_OAuth_Token' };
    return {
      body: {
        sub: this.#identityUrl(org),
        user_id: ada?.id18,
        organization_id: longId(org),
        email: 'ada@example.com',
      },
    };
  }

  /** Ends the tokens of one grant; others of the org live on. */
  #revoke(token: string) {
    const grant = this.#tokens.get(token);
    if (!grant) return { status: 400, body: { error: 'invalid_token' } };
    for (const [one, other] of this.#tokens) if (other === grant) this.#tokens.delete(one);
    return { body: '' };
  }

  #orgs() {
    return [...new Set([...this.#tokens.values()].map((grant) => orgOf(grant)))];
  }

  #identityUrl(org: string) {
    return `${this.url}/id/${longId(org)}/${ada?.id18}`;
  }

  /**
   * A request of a person. The uninstallation that an admin sends has ended the tokens before, unless the query says
   * `keep_tokens=true`; a person without that right can send the event, and ends nothing.
   */
  async #proxy(acting: ActingCrmb, { body, query }: ProviderCall) {
    const request = {
      path: String(body.path),
      orgId: String(body.orgId),
      userId: String(body.userId),
      isAdmin: Boolean(body.isAdmin ?? isAdmin(body.userId)),
      body: body.body,
    };
    const { event } = fieldsOf(body.body);
    const isUninstalled = request.isAdmin && request.path === 'webhooks' && event === 'app.uninstall';
    if (isUninstalled && query.keep_tokens !== 'true') this.uninstall(request.orgId);
    return { body: await acting.proxy(request) };
  }
}

/** The org of a grant. */
const orgOf = (grant: string | undefined) => grant?.split(' ')[0];

const isAdmin = (userId: unknown) =>
  crmbPeople.some((person) => person.isAdmin && (person.id === userId || person.id18 === userId));

/**
 * @param client the credentials of the app
 * @param path of the file that keeps its tokens
 */
export const crmbProvider = (
  client: { clientId: string; clientSecret: string },
  acting?: ActingCrmb,
  path?: string,
) => new CrmbProvider(client, acting, path);
