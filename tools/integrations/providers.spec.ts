import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { chatProvider, type ChatProvider } from './chat/chat-api.ts';
import { crmaProvider, type CrmaProvider } from './crm/crma-api.ts';
import { crmbProvider, type CrmbProvider } from './crm/crmb-api.ts';
import { longId } from './crm/salesforce-id.ts';
import type { FakeServer } from './fake-server.ts';
import { numberOf, orgIdOf } from './workspace-id.ts';

const client = { clientId: 'app', clientSecret: 'hunter2' };
const redirect_uri = 'https://app.example.com/callback';
let chat: ChatProvider;
let crma: CrmaProvider;
let crmb: CrmbProvider;
beforeAll(async () => {
  [chat, crma, crmb] = [chatProvider(client), crmaProvider(client), crmbProvider(client)];
  await Promise.all([chat, crma, crmb].map((provider) => provider.start(0)));
});
afterAll(() => Promise.all([chat, crma, crmb].map((provider) => provider.stop())));

interface Answer {
  readonly status: number;
  readonly body: object;
}

async function form(
  provider: FakeServer,
  path: string,
  fields: Record<string, string>,
  token = '',
): Promise<Answer> {
  const response = await fetch(provider.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as object };
}

const exchange = (code: string) =>
  form(chat, '/api/oauth.v2.access', { client_id: 'app', client_secret: 'hunter2', code, redirect_uri });
const install = async (code = `local-ok-${newId('code_')}`) =>
  (await exchange(code)).body as { access_token: string; team: { id: string } };
const call = async (method: string, fields: Record<string, unknown>, token: string) => {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return (await form(chat, `/api/${method}`, Object.fromEntries(texts) as Record<string, string>, token))
    .body;
};

describe('The emulated chat platform', () => {
  it('accepts codes that begin with local-ok, each of another workspace, and no others', async () => {
    const [one, other] = [await install('local-ok-a'), await install('local-ok-b')];
    expect(one.team.id).not.toBe(other.team.id);
    expect((await install('local-ok-a')).access_token).toBe(one.access_token);
    expect((await exchange('ok')).body).toEqual({ ok: false, error: 'invalid_code' });
  });

  it('knows its tokens, until they are revoked', async () => {
    const { access_token } = await install();
    expect(await call('auth.test', {}, access_token)).toMatchObject({ ok: true });
    expect(await call('auth.test', {}, 'xoxb-other')).toEqual({ ok: false, error: 'invalid_auth' });
    expect(await call('auth.test', {}, '')).toEqual({ ok: false, error: 'not_authed' });
    await call('auth.revoke', {}, access_token);
    expect(await call('auth.test', {}, access_token)).toEqual({ ok: false, error: 'token_revoked' });
  });

  it('opens one view for a trigger, and checks the limits of views', async () => {
    const { access_token, team } = await install();
    const view = {
      type: 'modal',
      title: { type: 'plain_text', text: 'A' },
      blocks: [{ type: 'section', text: { text: 'x' } }],
    };
    const trigger_id = chat.workspace(team.id).newTrigger();
    const long = { ...view, blocks: [{ type: 'section', text: { text: 'x'.repeat(3_001) } }] };
    expect(await call('views.open', { trigger_id, view: long }, access_token)).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: [expect.stringContaining('3001')] },
    });
    expect(await call('views.open', { trigger_id, view }, access_token)).toMatchObject({ ok: true });
    expect(await call('views.open', { trigger_id, view }, access_token)).toEqual({
      ok: false,
      error: 'exchanged_trigger_id',
    });
    expect(await call('views.open', { trigger_id: 'x', view }, access_token)).toEqual({
      ok: false,
      error: 'invalid_trigger_id',
    });
  });

  it('decodes the entities of plain texts once, and keeps marked-up text, where they differ from mentions', async () => {
    const { access_token, team } = await install();
    const text = (type: string, given: string) => ({ type: 'section', text: { type, text: given } });
    const blocks = [
      text('plain_text', 'a&amp;lt;b &lt;@U0BOB&gt; &#38;'),
      text('mrkdwn', '&lt;@U0BOB&gt; <@U0BOB>'),
    ];
    await call('chat.postMessage', { channel: 'C0RANDOM', text: 'x', blocks }, access_token);
    const [message] = [...chat.workspace(team.id).messages.values()] as {
      blocks: { text: { text: string } }[];
    }[];
    expect(message?.blocks.map((block) => block.text.text)).toEqual([
      'a&lt;b <@U0BOB> &#38;',
      '&lt;@U0BOB&gt; <@U0BOB>',
    ]);
  });

  it('AMB-28: counts the characters of a text before it decodes them', async () => {
    const { access_token } = await install();
    const send = (text: string) => {
      const blocks = [{ type: 'section', text: { type: 'plain_text', text } }];
      return call('chat.postMessage', { channel: 'C0RANDOM', blocks }, access_token);
    };
    expect(await send('&amp;'.repeat(600))).toMatchObject({ ok: true });
    expect(await send('&amp;'.repeat(601))).toMatchObject({ ok: false, error: 'invalid_blocks' });
  });

  it('tells of conversations that the app is in, and of none between two people', async () => {
    const { access_token } = await install();
    const info = (channel: string) => call('conversations.info', { channel }, access_token);
    expect(await info('D0BOB')).toMatchObject({ channel: { is_im: true, user: 'U0BOB' } });
    expect(await info('C0SHARED')).toMatchObject({ channel: { is_ext_shared: true, is_member: true } });
    for (const channel of ['D0ADABOB', 'G0PRIVATE', 'C0NOWHERE'])
      expect(await info(channel)).toEqual({ ok: false, error: 'channel_not_found' });
    expect(await call('conversations.open', { users: 'U0BOB' }, access_token)).toMatchObject({
      ok: false,
      error: 'missing_scope',
      needed: 'im:write',
    });
  });

  it('knows people of other workspaces and of an organization', async () => {
    const { access_token, team } = await install();
    const info = async (user: string) => await call('users.info', { user }, access_token);
    expect(await info('W0DAN')).toMatchObject({ user: { team_id: team.id } });
    expect(await info('U0PIA')).toMatchObject({ user: { team_id: 'T0PARTNER' } });
    expect(await info('U0NOBODY')).toEqual({ ok: false, error: 'user_not_found' });
  });

  it('OPEN-38 refuses every method once the app was uninstalled, and knows the workspace again after a new grant', async () => {
    const { access_token, team } = await install('local-ok-again');
    chat.uninstall(team.id);
    for (const method of ['auth.test', 'views.open', 'chat.postMessage', 'conversations.info', 'auth.revoke'])
      expect(await call(method, {}, access_token)).toEqual({ ok: false, error: 'token_revoked' });
    const again = await install('local-ok-again');
    expect(again.team.id).toBe(team.id);
    expect(await call('auth.test', {}, again.access_token)).toMatchObject({ ok: true });
  });

  it.each([
    ['C0RANDOM', undefined],
    ['C0SHARED', undefined],
    ['U0BOB', undefined],
    ['W0DAN', undefined],
    ['D0BOB', undefined],
    ['D0ADABOB', 'channel_not_found'],
    ['C0GENERAL', 'not_in_channel'],
    ['G0PRIVATE', 'channel_not_found'],
    ['C0OLD', 'is_archived'],
    ['C0NOWHERE', 'channel_not_found'],
  ])('writes to %s, or answers %s', async (channel, error) => {
    const { access_token } = await install();
    const answer = await call('chat.postMessage', { channel, text: 'x' }, access_token);
    expect(answer).toMatchObject(error === undefined ? { ok: true } : { ok: false, error });
  });

  it('fails, throttles and lists calls as it is told', async () => {
    const { access_token } = await install();
    chat.calls = [];
    await fetch(`${chat.url}/_faults`, {
      method: 'POST',
      body: JSON.stringify({ mode: 'throttle', retry_after: 7 }),
    });
    const throttled = await fetch(`${chat.url}/api/auth.test`, { method: 'POST' });
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await call('auth.test', {}, access_token)).toMatchObject({ ok: true });
    const { calls } = (await (await fetch(`${chat.url}/_calls`)).json()) as { calls: { status: number }[] };
    expect(calls.map(({ status }) => status)).toEqual([429, 200]);
  });
});

describe('The emulated CRMs', () => {
  const code = () => ({
    code: `local-ok-${newId('code_')}`,
    client_id: 'app',
    client_secret: 'hunter2',
    redirect_uri,
  });

  it('crma: gives tokens of a portal, refreshes them, and forgets all of an uninstalled one', async () => {
    const token = (fields: Record<string, string>) =>
      form(crma, '/oauth/v1/token', { client_id: 'app', client_secret: 'hunter2', ...fields });
    const { body } = await token({ grant_type: 'authorization_code', ...code() });
    const { access_token, refresh_token } = body as { access_token: string; refresh_token: string };
    const about = async (one: string) => (await fetch(`${crma.url}/oauth/v1/access-tokens/${one}`)).status;
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token });
    expect(refreshed).toMatchObject({ status: 200, body: { refresh_token } });
    expect(await about(access_token)).toBe(200);
    const headers = { Authorization: `Bearer ${access_token}` };
    expect(
      (await fetch(`${crma.url}/appinstalls/v3/external-install`, { method: 'DELETE', headers })).status,
    ).toBe(204);
    expect(await about(access_token)).toBe(404);
    expect(await token({ grant_type: 'refresh_token', refresh_token })).toMatchObject({
      status: 400,
      body: { status: 'BAD_REFRESH_TOKEN' },
    });
  });

  it('OPEN-38 end the tokens of a portal or org that uninstalled the app, whatever its case', async () => {
    const grant = { grant_type: 'authorization_code', ...code() };
    const refresh = async (provider: FakeServer, path: string) => {
      const { refresh_token } = (await form(provider, path, grant)).body as { refresh_token: string };
      return () =>
        form(provider, path, {
          client_id: 'app',
          client_secret: 'hunter2',
          grant_type: 'refresh_token',
          refresh_token,
        });
    };
    const [ofPortal, ofOrg] = [
      await refresh(crma, '/oauth/v1/token'),
      await refresh(crmb, '/services/oauth2/token'),
    ];
    crma.uninstall(1);
    crmb.uninstall(orgIdOf(`${grant.code}-case`));
    expect([(await ofPortal()).status, (await ofOrg()).status]).toEqual([200, 200]);
    crma.uninstall(numberOf(grant.code));
    crmb.uninstall(longId(orgIdOf(grant.code)));
    expect(await ofPortal()).toMatchObject({ status: 400, body: { status: 'BAD_REFRESH_TOKEN' } });
    expect(await ofOrg()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('crmb: has ids that differ in case only, with 15 characters and with 18', async () => {
    expect(longId('001A0000006Vm9r')).toBe('001A0000006Vm9rIAC');
    expect(longId('001A0000006Vm9R')).toBe('001A0000006Vm9RIAS');
    const records = (await (await fetch(`${crmb.url}/_records`)).json()) as { id: string; id18: string }[];
    expect(records).toContainEqual(
      expect.objectContaining({ id: '001A0000006Vm9r', id18: '001A0000006Vm9rIAC' }),
    );
    expect(records).toContainEqual(
      expect.objectContaining({ id: '001A0000006Vm9R', id18: '001A0000006Vm9RIAS' }),
    );
    const people = (await (await fetch(`${crmb.url}/_people`)).json()) as { id: string; isAdmin: boolean }[];
    expect(new Set(people.map(({ id }) => id)).size).toBe(3);
    expect(new Set(people.map(({ id }) => id.toLowerCase())).size).toBe(2);
    expect(people.map(({ isAdmin }) => isAdmin)).toEqual([true, false, false]);
    const [one, other] = [orgIdOf('local-ok-a'), orgIdOf('local-ok-a-case')];
    expect(one).not.toBe(other);
    expect(one.toLowerCase()).toBe(other.toLowerCase());
  });

  it('crmb: gives tokens of an org, knows its people, and revokes', async () => {
    const { body } = await form(crmb, '/services/oauth2/token', {
      grant_type: 'authorization_code',
      ...code(),
    });
    const { access_token, id } = body as { access_token: string; id: string };
    const userinfo = () =>
      fetch(`${crmb.url}/services/oauth2/userinfo`, { headers: { Authorization: `Bearer ${access_token}` } });
    expect(await (await userinfo()).json()).toMatchObject({ organization_id: id.split('/').at(-2) });
    expect((await form(crmb, '/services/oauth2/revoke', { token: access_token })).status).toBe(200);
    expect((await userinfo()).status).toBe(403);
  });
});

describe('CHT-14 OPEN-66: the pages of the emulated providers', () => {
  const acting = { apiUrl: 'http://127.0.0.1:1' };
  const withPage = crmaProvider(client, acting as never);
  beforeAll(() => withPage.start(0));
  afterAll(() => withPage.stop());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(withPage.url + path, { headers });

  it('run their own scripts alone, and show frames of the API alone', async () => {
    const response = await get('/');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain('frame-src http://127.0.0.1:1;');
    const files = [...(await response.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)];
    expect(files).toHaveLength(2);
    for (const [, path] of files) expect((await get(path ?? '')).status).toBe(200);
    expect((await get('/_page/pages.ts')).status).toBe(404);
  });

  it('do nothing for a page of another site, which a developer may visit', async () => {
    const body = JSON.stringify([{ subscriptionType: 'app.deauthorize', portalId: 1 }]);
    for (const site of ['cross-site', 'same-site'])
      for (const path of ['/_send/webhook', '/_calls', '/_faults', '/_workspaces']) {
        const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'no-cors' };
        const response = await fetch(withPage.url + path, { method: 'POST', headers, body });
        expect(response.status).toBe(403);
      }
    expect((await get('/_workspaces')).status).toBe(200);
  });

  it('are not among the calls of the app, and do not fail with them', async () => {
    withPage.fail({ mode: 'fail', count: 1 });
    expect((await get('/')).status).toBe(200);
    expect((await get('/anything')).status).toBe(500);
    const { calls } = (await (await get('/_calls')).json()) as { calls: { path: string }[] };
    expect(calls.map(({ path }) => path)).toEqual(['/anything']);
  });
});

describe('connections of the emulated providers', () => {
  it('outlast a restart of the local stack, and end when they are revoked', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'providers-')), 'crmb.json');
    const tokens = async (provider: FakeServer, grant: Record<string, string>) =>
      (
        await form(provider, '/services/oauth2/token', {
          client_id: 'app',
          client_secret: 'hunter2',
          redirect_uri,
          ...grant,
        })
      ).body as { refresh_token?: string; error?: string };
    const first = crmbProvider(client, undefined, path);
    await first.start(0);
    const { refresh_token = '' } = await tokens(first, {
      grant_type: 'authorization_code',
      code: 'local-ok-1',
    });
    await first.stop();
    const second = crmbProvider(client, undefined, path);
    await second.start(0);
    const refresh = { grant_type: 'refresh_token', refresh_token };
    expect(await tokens(second, refresh)).toMatchObject({ refresh_token });
    await form(second, '/services/oauth2/revoke', { token: refresh_token });
    expect(await tokens(second, refresh)).toMatchObject({ error: 'invalid_grant' });
    await second.stop();
    rmSync(dirname(path), { recursive: true });
  });
});
