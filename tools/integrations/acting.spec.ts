import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { jwtVerify } from 'jose';
import { ActingChat, ActingCrma, ActingCrmb } from './acting.ts';
import { chatProvider, type ChatProvider } from './chat/chat-api.ts';
import { crmaProvider } from './crm/crma-api.ts';
import { crmbProvider } from './crm/crmb-api.ts';
import type { FakeServer } from './fake-server.ts';
import { numberOf, orgIdOf } from './workspace-id.ts';

interface Received {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An API that answers with these statuses, then with 200, and keeps what it was sent. */
const received: Received[] = [];
let statuses: number[] = [];
const api = createServer((incoming, response) => {
  void text(incoming).then((body) => {
    received.push({ url: incoming.url ?? '', headers: incoming.headers, body });
    response.writeHead(statuses.shift() ?? 200).end();
  });
});
const client = { clientId: 'app', clientSecret: 'hunter2' };
let apiUrl: string;
let chat: ChatProvider;
let crma: FakeServer;
let crmb: FakeServer;

beforeAll(async () => {
  await once(api.listen(0, '127.0.0.1'), 'listening');
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  chat = chatProvider(client, new ActingChat({ apiUrl, signingSecret: 'signing secret' }));
  crma = crmaProvider(client, new ActingCrma({ apiUrl, clientSecret: 'hunter2' }));
  crmb = crmbProvider(client, new ActingCrmb({ apiUrl, sessionSecret: 'common secret' }));
  await Promise.all([chat, crma, crmb].map((provider) => provider.start(0)));
});
beforeEach(() => {
  received.length = 0;
  statuses = [];
});
afterAll(async () => {
  await Promise.all([chat, crma, crmb].map((provider) => provider.stop()));
  api.close();
});

const send = async (provider: FakeServer, path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(provider.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as { status: number; text: string };
};
const form = async (provider: FakeServer, path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams({ client_id: 'app', client_secret: 'hunter2', ...fields });
  return (await (await fetch(provider.url + path, { method: 'POST', body })).json()) as Record<
    string,
    unknown
  >;
};
const grant = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: 'https://app.example.com/callback',
});

describe('The request proxy of crma', () => {
  const proxied = { portalId: '2', userId: '202', body: { a: 1 } };
  const appended = 'userId=202&portalId=2&userEmail=ada%40example.com&appId=54321';

  it('appends the person and the portal after the query of the page', async () => {
    await send(crma, '/_send/proxy', { path: 'files?portalId=1&userId=1', ...proxied });
    expect(received[0]?.url).toBe(`/v1/apps/crma/files?portalId=1&userId=1&${appended}`);
  });

  it('reaches every permitted path, and no other', async () => {
    await send(crma, '/_send/proxy', { path: '/v1/apps/crma/webhooks', ...proxied });
    expect(received[0]?.url).toBe(`/v1/apps/crma/webhooks?${appended}`);
    for (const path of ['../crmb/files', '/v1/vaults', '//evil.test/v1/apps/crma/x'])
      expect((await send(crma, '/_send/proxy', { path, ...proxied })).status).toBe(400);
    expect(received).toHaveLength(1);
  });

  it('OPEN-38 signs the URI with the twelve documented escapes decoded, and the others as they are', async () => {
    const escapes = '%3A%2F%3F%40%21%24%27%28%29%2A%2C%3B%3a%2f';
    await send(crma, '/_send/proxy', { path: `files?q=${escapes}%20%26%3D%2B%25`, ...proxied });
    const { headers, body } = received[0] as Received;
    const uri = `${apiUrl}/v1/apps/crma/files?q=:/?@!$'()*,;:/%20%26%3D%2B%25&${appended.replace('%40', '@')}`;
    const source = `POST${uri}${body}${String(headers['x-crma-request-timestamp'])}`;
    expect(headers['x-crma-signature-v3']).toBe(
      createHmac('sha256', 'hunter2').update(source).digest('base64'),
    );
  });

  it('repeats a request once after a 5xx, with the same signature and time', async () => {
    statuses = [503];
    expect(await send(crma, '/_send/proxy', { path: 'files', ...proxied })).toMatchObject({ status: 200 });
    expect(received).toHaveLength(2);
    const [first, second] = received as [Received, Received];
    expect([second.url, second.body]).toEqual([first.url, first.body]);
    for (const name of ['x-crma-signature-v3', 'x-crma-request-timestamp'])
      expect(second.headers[name]).toBe(first.headers[name]);
    statuses = [500, 502];
    expect(await send(crma, '/_send/proxy', { path: 'files', ...proxied })).toMatchObject({ status: 502 });
    statuses = [400];
    expect(await send(crma, '/_send/proxy', { path: 'files', ...proxied })).toMatchObject({ status: 400 });
    expect(received).toHaveLength(5);
  });
});

describe('The sessions of crmb', () => {
  const claims = async (secret: string) => {
    const [, bearer = ''] = (received.at(-1)?.headers.authorization ?? '').split(' ');
    return (await jwtVerify(bearer, Buffer.from(secret), { audience: apiUrl })).payload;
  };

  it('OPEN-38 name the API, live ten minutes, and say who is an admin', async () => {
    for (const [userId, admin] of [
      ['0055g000001aDaZ', true],
      ['0055g000001bObZ', undefined],
    ] as const) {
      await send(crmb, '/_send/proxy', { path: 'files', orgId: '00Da', userId, body: {} });
      const { iat = 0, exp = 0, ...rest } = await claims('common secret');
      expect(exp - iat).toBe(600);
      expect(rest).toMatchObject({ org_id: '00Da', user_id: userId });
      expect(rest['admin']).toBe(admin);
    }
  });

  it('OPEN-38 are signed with the secret of the org once an admin has entered it', async () => {
    await send(crmb, '/_secrets', { orgId: '00Db', secret: 'secret of the org' });
    const request = { path: 'files', userId: '0055g000001bObZ', body: {} };
    await send(crmb, '/_send/proxy', { ...request, orgId: '00Db' });
    await expect(claims('secret of the org')).resolves.toMatchObject({ org_id: '00Db' });
    await send(crmb, '/_send/proxy', { ...request, orgId: '00DB' });
    await expect(claims('common secret')).resolves.toMatchObject({ org_id: '00DB' });
  });
});

describe('the interactions of the chat', () => {
  it('name the workspace of a person from a shared channel, and in the view the one with the app', async () => {
    await send(chat, '/_send/interaction', {
      team_id: 'T1',
      user: { id: 'U0PIA', name: 'pia' },
      type: 'view_submission',
      view: { callback_id: 'send_secret' },
    });
    const payload = JSON.parse(new URLSearchParams(received[0]?.body).get('payload') ?? '') as object;
    expect(payload).toMatchObject({
      team: { id: 'T0PARTNER' },
      user: { id: 'U0PIA', team_id: 'T0PARTNER' },
      view: { callback_id: 'send_secret', app_installed_team_id: 'T1' },
    });
  });
});

describe('OPEN-38 uninstallation at an emulated provider ends the tokens together with its event', () => {
  it('of the chat', async () => {
    const uninstalled = async (event: object, query = '') => {
      const code = `local-ok-${newId('code_')}`;
      const { access_token, team } = (await form(chat, '/api/oauth.v2.access', grant(code))) as {
        access_token: string;
        team: { id: string };
      };
      await send(chat, `/_send/event${query}`, { team_id: team.id, event });
      const headers = { Authorization: `Bearer ${access_token}` };
      return (await (await fetch(`${chat.url}/api/auth.test`, { method: 'POST', headers })).json()) as object;
    };
    const ended = { ok: false, error: 'token_revoked' };
    expect(await uninstalled({ type: 'app_uninstalled' })).toEqual(ended);
    expect(await uninstalled({ type: 'tokens_revoked', tokens: { bot: ['U1'] } })).toEqual(ended);
    expect(await uninstalled({ type: 'tokens_revoked', tokens: { oauth: ['U1'] } })).toMatchObject({
      ok: true,
    });
    expect(await uninstalled({ type: 'app_uninstalled' }, '?keep_tokens=true')).toMatchObject({ ok: true });
  });

  it('of crma', async () => {
    const code = `local-ok-${newId('code_')}`;
    const refresh = async () =>
      form(crma, '/oauth/v1/token', { grant_type: 'refresh_token', refresh_token: String(refresh_token) });
    const { refresh_token } = await form(crma, '/oauth/v1/token', grant(code));
    const event = [{ eventType: 'app.deauthorize', portalId: numberOf(code) }];
    await send(crma, '/_send/webhook?keep_tokens=true', event);
    await send(crma, '/_send/proxy', { path: 'webhooks', portalId: '1', userId: '1', body: event });
    expect(await refresh()).toMatchObject({ refresh_token });
    await send(crma, '/_send/webhook', event);
    expect(await refresh()).toMatchObject({ status: 'BAD_REFRESH_TOKEN' });
  });

  it('of crmb, where an admin sends it', async () => {
    const code = `local-ok-${newId('code_')}`;
    const refresh = async () =>
      form(crmb, '/services/oauth2/token', {
        grant_type: 'refresh_token',
        refresh_token: String(refresh_token),
      });
    const { refresh_token } = await form(crmb, '/services/oauth2/token', grant(code));
    const [orgId, body] = [orgIdOf(code), { event: 'app.uninstall', org_id: orgIdOf(code) }];
    const uninstall = (userId: string) =>
      send(crmb, '/_send/proxy', { path: 'webhooks', orgId, userId, body });
    await uninstall('0055g000001bObZ');
    expect(await refresh()).toMatchObject({ refresh_token });
    await uninstall('0055g000001aDaZ');
    expect(await refresh()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('OPEN-55: an emulated provider', () => {
  const statusFor = async (provider: FakeServer, host: string, path = '/_calls') => {
    const { hostname, port } = new URL(provider.url);
    const asked = request({ hostname, port, path, headers: { host } }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };

  it('answers 421 to a foreign host name that resolves to it (DNS rebinding), on every path', async () => {
    for (const provider of [chat, crma, crmb])
      for (const path of ['/', '/_calls', '/_workspaces', '/_people', '/anything'])
        expect(await statusFor(provider, 'evil.test', path)).toBe(421);
  });

  it('answers to loopback names and its own address', async () => {
    for (const provider of [chat, crma, crmb])
      for (const host of ['localhost', '[::1]:80', new URL(provider.url).host])
        expect(await statusFor(provider, host)).toBe(200);
  });
});
