import { randomBytes } from 'node:crypto';
import { FakeServer } from '../fake-server.mjs';
import { KeptMap } from '../kept-map.mjs';
import { pageRoutes } from '../pages/pages.mjs';
import { isAccepted, numberOf } from '../workspace-id.mjs';

const TOKEN_SECONDS = 1_800;

/**
 * The first CRM with the conventions of HubSpot.
 * @param {{ clientId: string, clientSecret: string }} client the credentials of the app
 * @param {import('../acting.mjs').ActingCrma} [acting] sends requests to our API: `POST /_send/proxy` and `/_send/webhook`
 * @param {string} [path] of the file that keeps its tokens
 */
export function crmaProvider({ clientId, clientSecret }, acting, path) {
  /** @type {KeptMap<string, { portal: number, refresh: string }>} by access token */
  const tokens = new KeptMap(path);
  const issue = (/** @type {number} */ portal, refresh = randomBytes(18).toString('hex')) => {
    const access_token = randomBytes(24).toString('base64url');
    tokens.set(access_token, { portal, refresh });
    return {
      body: { access_token, refresh_token: refresh, expires_in: TOKEN_SECONDS, token_type: 'bearer' },
    };
  };
  const refused = (/** @type {string} */ status, /** @type {string} */ message) => ({
    status: 400,
    body: { status, message },
  });
  const server = new FakeServer(
    new Map([
      [
        'POST /oauth/v1/token',
        ({ body }) => {
          if (body.client_id !== clientId || body.client_secret !== clientSecret)
            return refused('BAD_CLIENT_SECRET', 'missing or invalid client secret');
          if (body.grant_type === 'authorization_code') {
            if (!body.redirect_uri || !isAccepted(body.code))
              return refused('BAD_AUTH_CODE', 'missing or unknown auth code');
            return issue(numberOf(body.code));
          }
          const known = [...tokens.values()].find(({ refresh }) => refresh === body.refresh_token);
          if (body.grant_type !== 'refresh_token' || !known)
            return refused('BAD_REFRESH_TOKEN', 'missing or unknown refresh token');
          return issue(known.portal, known.refresh);
        },
      ],
      [
        'GET /oauth/v1/access-tokens/*',
        (_, token) => {
          const known = tokens.get(token);
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
        },
      ],
      [
        'DELETE /appinstalls/v3/external-install',
        ({ token }) => {
          const known = tokens.get(token);
          if (!known) return { status: 401, body: { status: 'error', category: 'INVALID_AUTHENTICATION' } };
          for (const [one, { portal }] of tokens) if (portal === known.portal) tokens.delete(one);
          return { status: 204, body: '' };
        },
      ],
    ]),
  );
  server.addRoutes(
    new Map([
      [
        'GET /_workspaces',
        () => ({
          body: [...new Set([...tokens.values()].map(({ portal }) => String(portal)))].map((id) => ({
            id,
            name: `Portal ${id}`,
          })),
        }),
      ],
    ]),
  );
  if (acting)
    server.addRoutes(pageRoutes('crma', acting.apiUrl)).addRoutes(
      new Map([
        ['POST /_send/proxy', async ({ body }) => ({ body: await acting.proxy(/** @type {any} */ (body)) })],
        ['POST /_send/webhook', async ({ body }) => ({ body: await acting.webhook(body) })],
      ]),
    );
  return server;
}
