import { randomBytes } from 'node:crypto';
import type { ActingCrma } from '../acting.ts';
import { consent } from '../consent.ts';
import { FakeServer, type ProviderCall, type Route } from '../fake-server.ts';
import { fieldsOf, textOf, type Fields } from '../fields.ts';
import { KeptMap } from '../kept-map.ts';
import { pageRoutes } from '../pages/pages.ts';
import { isAccepted, numberOf } from '../workspace-id.ts';

const TOKEN_SECONDS = 1_800;

/** The first CRM with the conventions of HubSpot. */
export class CrmaProvider extends FakeServer {
  /** by access token */
  #tokens: KeptMap<string, { portal: number; refresh: string | null }>;
  #client;

  /**
   * @param client the credentials of the app
   * @param acting sends requests to our API: `POST /_send/proxy` and `/_send/webhook`
   * @param path of the file that keeps its tokens
   */
  constructor(client: { clientId: string; clientSecret: string }, acting?: ActingCrma, path?: string) {
    super(
      new Map<string, Route>([
        ['GET /oauth/authorize', consent],
        ['POST /oauth/v1/token', ({ body }) => this.#token(body)],
        ['DELETE /oauth/v1/refresh-tokens/*', (_, refresh = '') => this.#endRefresh(refresh)],
        ['GET /oauth/v1/access-tokens/*', (_, token = '') => this.#about(token)],
        ['DELETE /appinstalls/v3/external-install', ({ token }) => this.#uninstallByToken(token)],
        ['GET /_workspaces', () => ({ body: this.#portals() })],
        ['GET /_people', () => ({ body: crmaPeople })],
      ]),
    );
    this.#client = client;
    this.#tokens = new KeptMap(path);
    if (acting)
      this.addRoutes(pageRoutes('crma', acting.apiUrl)).addRoutes(
        new Map<string, Route>([
          [
            'POST /_send/proxy',
            async ({ body: { path, portalId, userId, body } }) => ({
              body: await acting.proxy({
                path: String(path),
                portalId: String(portalId),
                userId: String(userId),
                body,
              }),
            }),
          ],
          ['POST /_send/webhook', (call) => this.#webhook(acting, call)],
        ]),
      );
  }

  /** An admin uninstalls the app: all tokens of the portal end, and a refresh is answered with `BAD_REFRESH_TOKEN`. */
  uninstall(portal: number | string) {
    for (const [one, known] of this.#tokens) if (known.portal === Number(portal)) this.#tokens.delete(one);
  }

  /** Ends one refresh token; the app stays in the portal. */
  #endRefresh(refresh: string) {
    const ended = [...this.#tokens].filter(([, known]) => known.refresh === refresh);
    for (const [one, { portal }] of ended) this.#tokens.set(one, { portal, refresh: null });
    return { status: ended.length === 0 ? 404 : 204, body: '' };
  }

  #token(body: Fields) {
    if (body.client_id !== this.#client.clientId || body.client_secret !== this.#client.clientSecret)
      return refused('BAD_CLIENT_SECRET', 'missing or invalid client secret');
    if (body.grant_type === 'authorization_code') {
      if (!body.redirect_uri || !isAccepted(body.code))
        return refused('BAD_AUTH_CODE', 'missing or unknown auth code');
      return this.#issue(numberOf(body.code));
    }
    const refresh = textOf(body.refresh_token);
    const known = [...this.#tokens.values()].find((one) => one.refresh === refresh);
    if (body.grant_type !== 'refresh_token' || !known)
      return refused('BAD_REFRESH_TOKEN', 'missing or unknown refresh token');
    return this.#issue(known.portal, refresh);
  }

  #issue(portal: number, refresh: string = randomBytes(18).toString('hex')) {
    const access_token = randomBytes(24).toString('base64url');
    this.#tokens.set(access_token, { portal, refresh });
    return {
      body: { access_token, refresh_token: refresh, expires_in: TOKEN_SECONDS, token_type: 'bearer' },
    };
  }

  #about(token: string) {
    const known = this.#tokens.get(token);
    if (!known) return { status: 404, body: { status: 'error', message: 'access token not found' } };
    return {
      body: {
        token,
        hub_id: known.portal,
        hub_domain: `portal-${known.portal}.example`,
        user: 'ada@example.com',
        user_id: 101,
        app_id: 54_321,
        scopes: ['oauth', 'crm.objects.contacts.read'],
        expires_in: TOKEN_SECONDS,
        token_type: 'access',
      },
    };
  }

  #uninstallByToken(token: string) {
    const known = this.#tokens.get(token);
    if (!known) return { status: 401, body: { status: 'error', category: 'INVALID_AUTHENTICATION' } };
    this.uninstall(known.portal);
    return { status: 204, body: '' };
  }

  #portals() {
    const ids = new Set([...this.#tokens.values()].map(({ portal }) => String(portal)));
    return [...ids].map((id) => ({ id, name: `Portal ${id}` }));
  }

  /** Tokens of an uninstalled portal have ended before its event, unless the query says `keep_tokens=true`. */
  async #webhook(acting: ActingCrma, { body, query }: ProviderCall) {
    for (const { subscriptionType, eventType, portalId } of [body].flat().map(fieldsOf))
      if ((subscriptionType ?? eventType) === 'app.deauthorize' && query.keep_tokens !== 'true')
        this.uninstall(Number(portalId));
    return { body: await acting.webhook(body) };
  }
}

/** The people of every portal. */
const crmaPeople = [
  { id: '101', name: 'Ada' },
  { id: '202', name: 'Bob' },
];

const refused = (status: string, message: string) => ({ status: 400, body: { status, message } });

/**
 * @param client the credentials of the app
 * @param path of the file that keeps its tokens
 */
export const crmaProvider = (
  client: { clientId: string; clientSecret: string },
  acting?: ActingCrma,
  path?: string,
) => new CrmaProvider(client, acting, path);
