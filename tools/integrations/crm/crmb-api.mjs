import { randomBytes } from 'node:crypto';
import { FakeServer } from '../fake-server.mjs';
import { KeptMap } from '../kept-map.mjs';
import { pageRoutes } from '../pages/pages.mjs';
import { charactersOf, isAccepted } from '../workspace-id.mjs';

/**
 * The second CRM with the conventions of Salesforce; its one instance is at its own origin.
 * @param {{ clientId: string, clientSecret: string }} client the credentials of the app
 * @param {import('../acting.mjs').ActingCrmb} [acting] sends requests to our API: `POST /_send/proxy`
 * @param {string} [path] of the file that keeps its tokens
 */
export function crmbProvider({ clientId, clientSecret }, acting, path) {
  /** @type {KeptMap<string, string>} org ids by access token and by refresh token */
  const tokens = new KeptMap(path);
  const invalidGrant = {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'authentication failure' },
  };
  const server = new FakeServer(
    new Map([
      [
        'POST /services/oauth2/token',
        ({ body }) => {
          if (body.client_id !== clientId || body.client_secret !== clientSecret)
            return { status: 400, body: { error: 'invalid_client_id' } };
          const isCode =
            body.grant_type === 'authorization_code' && body.redirect_uri && isAccepted(body.code);
          const org = isCode ? `00D${charactersOf(body.code, 12)}` : tokens.get(body.refresh_token ?? '');
          if (!org) return invalidGrant;
          const access_token = `${org}!${randomBytes(24).toString('base64url')}`;
          const refresh_token = body.refresh_token ?? randomBytes(24).toString('base64url');
          tokens.set(access_token, org).set(refresh_token, org);
          return {
            body: {
              access_token,
              refresh_token,
              instance_url: server.url,
              id: `${server.url}/id/${org}EAA/005${charactersOf('user', 12)}AAA`,
              issued_at: String(Date.now()),
              token_type: 'Bearer',
              scope: 'api refresh_token',
            },
          };
        },
      ],
      [
        'GET /services/oauth2/userinfo',
        ({ token }) => {
          const org = tokens.get(token);
          if (!org) return { status: 403, body: 'Bad_OAuth_Token' };
          return {
            body: {
              sub: `${server.url}/id/${org}EAA/005${charactersOf('user', 12)}AAA`,
              user_id: `005${charactersOf('user', 12)}AAA`,
              organization_id: `${org}EAA`,
              email: 'ada@example.com',
            },
          };
        },
      ],
      [
        'POST /services/oauth2/revoke',
        ({ body }) => {
          const org = tokens.get(body.token ?? '');
          if (!org) return { status: 400, body: { error: 'invalid_token' } };
          for (const [one, owner] of tokens) if (owner === org) tokens.delete(one);
          return { body: '' };
        },
      ],
    ]),
  );
  server.addRoutes(
    new Map([
      [
        'GET /_workspaces',
        () => ({ body: [...new Set(tokens.values())].map((id) => ({ id, name: `Org ${id}` })) }),
      ],
    ]),
  );
  if (acting)
    server
      .addRoutes(pageRoutes('crmb', acting.apiUrl))
      .addRoutes(
        new Map([
          [
            'POST /_send/proxy',
            async ({ body }) => ({ body: await acting.proxy(/** @type {any} */ (body)) }),
          ],
        ]),
      );
  return server;
}
