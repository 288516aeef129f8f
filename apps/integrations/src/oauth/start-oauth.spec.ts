import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  Authorization,
  connectChatapp,
  OAuthStart,
  startOAuth,
  type AppId,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { useIntegrations } from '../testing/integrations-platform.js';

const platform = useIntegrations();
const redirect_uri = 'https://app.example.com/callback';
let caller: AccountContext;
beforeEach(async () => {
  platform.providers.chat.calls = [];
  caller = await platform.newCaller();
});

const start = (app_id: AppId, context = caller, uri = redirect_uri) =>
  platform.harness.bus.call(
    startOAuth,
    { params: { app_id }, body: Object.assign(new OAuthStart(), { redirect_uri: uri }) },
    context,
  );
const connect = (state: string, context = caller, uri = redirect_uri) =>
  platform.harness.bus.call(
    connectChatapp,
    {
      body: Object.assign(new Authorization(), {
        code: `local-ok-${newId('code_')}`,
        redirect_uri: uri,
        state,
      }),
    },
    context,
  );
const inSession = (context: AccountContext): AccountContext => ({
  ...context,
  credential: { ...context.credential, credentialId: newId('ses_') },
});

describe('APP-20: the state of an authorization', () => {
  it.each([
    ['chatapp', '/oauth/v2/authorize'],
    ['crma', '/oauth/authorize'],
    ['crmb', '/services/oauth2/authorize'],
  ] as const)('is in the consent page of %s, for ten minutes', async (app, path) => {
    const { authorize_url, state, expires_at } = await start(app);
    const url = new URL(authorize_url);
    expect(url.pathname).toBe(path);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ client_id: 'app', redirect_uri, state });
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(expires_at - Date.now() / 1_000).toBeGreaterThan(590);
    expect(expires_at - Date.now() / 1_000).toBeLessThanOrEqual(600);
  });

  it('comes back with the code of the consent page', async () => {
    const { authorize_url } = await start('chatapp');
    const { headers } = await fetch(authorize_url, { redirect: 'manual' });
    const { searchParams } = new URL(headers.get('location') ?? '');
    const body = Object.assign(new Authorization(), {
      code: searchParams.get('code'),
      state: searchParams.get('state'),
      redirect_uri,
    });
    expect(await platform.harness.bus.call(connectChatapp, { body }, caller)).toMatchObject({
      installed: true,
    });
  });

  it('is accepted once, from the session that has asked for it', async () => {
    const { state } = await start('chatapp');
    expect(await reasonOf(connect(state, inSession(caller)))).toBe('APP_STATE_REFUSED');
    expect(await reasonOf(connect(state, await platform.newCaller()))).toBe('APP_STATE_REFUSED');
    expect(await reasonOf(connect(state, caller, 'https://evil.example.com/'))).toBe('APP_STATE_REFUSED');
    expect(platform.providers.chat.calls).toEqual([]); // no code was exchanged
    expect(await connect(state)).toMatchObject({ installed: true });
    expect(await reasonOf(connect(state))).toBe('APP_STATE_REFUSED');
  });

  it('is of one app, and ends', async () => {
    expect(await reasonOf(connect((await start('crma')).state))).toBe('APP_STATE_REFUSED');
    const { state } = await start('chatapp');
    await platform.sql(`UPDATE oauth_states SET expires_at = now() WHERE account_id = $1`, [
      caller.credential.accountId,
    ]);
    expect(await reasonOf(connect(state))).toBe('APP_STATE_REFUSED');
  });

  it('is accepted from one of several callbacks at once', async () => {
    const { state } = await start('chatapp');
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => connect(state)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('APP-07: is given to admins and owners only, for redirects to web pages', async () => {
    const member = { ...caller, credential: { ...caller.credential, role: 'member' as const } };
    expect(await reasonOf(start('chatapp', member))).toBe('ROLE_REQUIRED');
    expect(await reasonOf(start('chatapp', caller, 'javascript:alert(1)'))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(start('unknown' as AppId))).toBe('APP_NOT_FOUND');
  });
});
