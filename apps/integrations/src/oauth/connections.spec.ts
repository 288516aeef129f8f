import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  Authorization,
  connectChatapp,
  connectCrma,
  connectCrmb,
  CrmAuthorization,
  deleteApp,
  disconnectChatapp,
  disconnectCrma,
  disconnectCrmb,
  installApp,
  InstallationChange,
  NewInstallation,
  readApp,
  updateApp,
  type AppId,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { formsOf, heldOnDisk } from '@vaultsvc/testing/servers';
import { reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { useIntegrations } from '../testing/integrations-platform.js';
import { TokenRevocations } from '../tokens/token-revocations.js';

const platform = useIntegrations();
const redirect_uri = 'https://app.example.com/callback';
let caller: AccountContext;
beforeEach(async () => {
  const { chat, crma, crmb } = platform.providers;
  const providers = [chat, crma, crmb];
  for (const provider of providers) provider.fail({ mode: 'none' });
  // Tokens of earlier tests are revoked in the background; an attempt that failed is repeated after a minute.
  await eventually(
    () => platform.sql(`SELECT id FROM token_revocations`),
    (waiting) => waiting.length === 0,
    100,
  );
  for (const provider of providers) provider.calls = [];
  caller = await platform.newCaller();
});

let codes = 0;
/** A code that the providers accept, of a workspace that no other test has. */
const newCode = (kind = '') => `local-ok${kind}-${++codes}-${process.pid}`;

const connectChat = (code = newCode(), context = caller) =>
  platform.harness.bus.call(
    connectChatapp,
    { body: Object.assign(new Authorization(), { code, redirect_uri }) },
    context,
  );
const connectCrm = (
  operation: typeof connectCrma | typeof connectCrmb,
  vault_id: string,
  code = newCode(),
  context = caller,
) =>
  platform.harness.bus.call(
    operation,
    { body: Object.assign(new CrmAuthorization(), { code, redirect_uri, vault_id }) },
    context,
  );
const read = (app_id: AppId, context = caller) =>
  platform.harness.bus.call(readApp, { params: { app_id } }, context);
const pathsOf = (provider: 'chat' | 'crma' | 'crmb') =>
  platform.providers[provider].calls.map(({ method, path }) => `${method} ${path}`);

describe('APP-20 CHT-01 CHT-02: the chat app', () => {
  it('CHT-03 APP-20: is installed for the workspace of its grant', async () => {
    const code = newCode();
    const answer = await connectChat(code);
    expect(answer).toEqual({
      installed: true,
      team_id: expect.stringMatching(/^T[0-9A-Z]{9}$/),
      team_name: code.replace('local-ok-', 'Workspace '), // as the provider of the tests names it
      account_id: caller.credential.accountId,
    });
    expect(await read('chatapp')).toMatchObject({ status: 'active', remote_id: answer.team_id });
  });

  it.each([
    ['a code that the provider does not know', 'unknown', 'APP_GRANT_REFUSED'],
    ['CHT-01: a grant without chat:write', 'local-ok-noscope', 'VALIDATION_ERROR'],
    ['CHT-02: a grant of a whole organization', 'local-ok-grid', 'VALIDATION_ERROR'],
  ])('APP-20: is not installed by %s', async (_, code, reason) => {
    expect(await reasonOf(connectChat(code))).toBe(reason);
    expect(await read('chatapp')).toMatchObject({ status: 'not_installed' });
  });

  it.each(['fail', 'throttle'] as const)(
    'APP-20: is not installed when the provider does not answer (%s)',
    async (mode) => {
      platform.providers.chat.fail({ mode });
      expect(await reasonOf(connectChat())).toBe('APP_PROVIDER_UNAVAILABLE');
      expect(await read('chatapp')).toMatchObject({ status: 'not_installed' });
    },
  );

  it('APP-22: is authorized again in place, and keeps its time', async () => {
    const code = newCode();
    const { team_id } = await connectChat(code);
    const { installed_at } = await read('chatapp');
    expect(await connectChat(code)).toMatchObject({ installed: true, team_id });
    expect(await read('chatapp')).toMatchObject({ installed_at, remote_id: team_id });
    expect(pathsOf('chat')).not.toContain('POST /api/auth.revoke');
  });

  it('APP-22: leaves its former workspace when it is connected to another', async () => {
    const { team_id } = await connectChat();
    expect((await connectChat()).team_id).not.toBe(team_id);
    await eventually(
      () => pathsOf('chat'),
      (paths) => paths.includes('POST /api/auth.revoke'),
    );
  });

  it('APP-27: cannot claim another workspace by an update while it is connected, because its requests would reach this account', async () => {
    const { team_id } = await connectChat();
    const update = (remote_id: string) =>
      platform.harness.bus.call(
        updateApp,
        {
          params: { app_id: 'chatapp' },
          body: Object.assign(new InstallationChange(), { settings: {}, remote_id }),
        },
        caller,
      );
    expect(await reasonOf(update('T0SOMEONE'))).toBe('APP_CONNECTED');
    expect((await update(team_id)).remote_id).toBe(team_id);
    await platform.harness.bus.call(disconnectChatapp, {}, caller);
    expect(await reasonOf(update('T0SOMEONE'))).toBe('APP_NOT_INSTALLED');
  });

  it('APP-10: connects a workspace of another account only after that has uninstalled it', async () => {
    const code = newCode();
    await connectChat(code);
    const other = await platform.newCaller();
    expect(await reasonOf(connectChat(code, other))).toBe('APP_REMOTE_TAKEN');
    await platform.harness.bus.call(disconnectChatapp, {}, caller);
    expect(await connectChat(code, other)).toMatchObject({ installed: true });
  });

  it('CHT-04 APP-23: is uninstalled, and its token is revoked', async () => {
    const { team_id } = await connectChat();
    expect(await platform.harness.bus.call(disconnectChatapp, {}, caller)).toEqual({
      uninstalled: true,
      account_id: caller.credential.accountId,
      team_id,
    });
    expect(await read('chatapp')).toMatchObject({ status: 'not_installed' });
    await eventually(
      () => pathsOf('chat'),
      (paths) => paths.includes('POST /api/auth.revoke'),
    );
  });

  it('APP-15: is uninstalled while the provider is down, and its token is revoked later', async () => {
    await connectChat();
    platform.providers.chat.fail({ mode: 'fail', count: 1, path: '/api/auth.revoke' });
    await platform.harness.bus.call(deleteApp, { params: { app_id: 'chatapp' } }, caller);
    const waiting = () =>
      platform.sql<{ is_later: boolean }>(
        `SELECT next_attempt_at > now() + interval '40 seconds' AS is_later FROM token_revocations WHERE account_id = $1`,
        [caller.credential.accountId],
      );
    await eventually(waiting, ([row]) => row?.is_later === true);
    await stopSchedule(platform.service);
    await platform.sql(`UPDATE token_revocations SET next_attempt_at = now()`);
    await platform.service.context.get(TokenRevocations).run();
    expect(await waiting()).toEqual([]);
    expect(pathsOf('chat').filter((path) => path === 'POST /api/auth.revoke')).toHaveLength(2);
  });

  it('APP-26: is not connected by a bare installation', async () => {
    const body = new NewInstallation();
    await platform.harness.bus.call(installApp, { params: { app_id: 'chatapp' }, body }, caller);
    expect(await platform.harness.bus.call(disconnectChatapp, {}, caller)).toMatchObject({ team_id: null });
  });

  it('APP-07: is connected and disconnected by admins and owners only', async () => {
    const member = { ...caller, credential: { ...caller.credential, role: 'member' as const } };
    expect(await reasonOf(connectChat(newCode(), member))).toBe('ROLE_REQUIRED');
    expect(await reasonOf(platform.harness.bus.call(disconnectChatapp, {}, member))).toBe('ROLE_REQUIRED');
    expect(pathsOf('chat')).toEqual([]);
  });

  it('MISC-03: has a token that is stored sealed only', async () => {
    await connectChat();
    const { chat } = platform.providers;
    const { team_id } = await connectChat();
    // The token is in the reply of the provider alone, so the test asks for the connection once more, as the provider.
    const code = newCode();
    const reply = await fetch(`${chat.url}/api/oauth.v2.access`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'app', client_secret: 'hunter2', code, redirect_uri }),
    });
    const { access_token } = (await reply.json()) as { access_token: string };
    await connectChat(code);
    expect(await heldOnDisk(formsOf(access_token))).toEqual([]);
    expect(await heldOnDisk([team_id])).toEqual([team_id]);
  });
});

describe.each([
  {
    app: 'crma' as const,
    connect: connectCrma,
    disconnect: disconnectCrma,
    id: 'portal_id',
    pattern: /^\d{8}$/,
  },
  {
    app: 'crmb' as const,
    connect: connectCrmb,
    disconnect: disconnectCrmb,
    id: 'org_id',
    pattern: /^00D[0-9A-Za-z]{12}$/,
  },
])('$app', ({ app, connect, disconnect, id, pattern }) => {
  it('APP-20 CRA-10 CRB-06: is installed with a vault of the account, and uninstalled', async () => {
    const { vault_id } = await platform.newVault(caller);
    const answer = await connectCrm(connect, vault_id);
    const { accountId: account_id } = caller.credential;
    expect(answer).toMatchObject({
      installed: true,
      account_id,
      vault_id,
      [id]: expect.stringMatching(pattern),
    });
    const gone = await platform.harness.bus.call(disconnect, {}, caller);
    expect(gone).toEqual({ uninstalled: true, account_id, [id]: (answer as never)[id] });
    expect(await read(app)).toMatchObject({ status: 'not_installed' });
    await eventually(
      () => pathsOf(app),
      (paths) => paths.some((path) => /external-install|revoke/.test(path)),
    );
  });

  it('APP-21: is not installed with a vault of another account, and the code stays unused', async () => {
    const { vault_id } = await platform.newVault(await platform.newCaller());
    for (const foreign of [vault_id, newId('vlt_')])
      expect(await reasonOf(connectCrm(connect, foreign))).toBe('VAULT_NOT_FOUND');
    expect(pathsOf(app)).toEqual([]);
  });

  it('APP-20: is not installed by a code that the provider does not know', async () => {
    const { vault_id } = await platform.newVault(caller);
    expect(await reasonOf(connectCrm(connect, vault_id, 'unknown'))).toBe('APP_GRANT_REFUSED');
    expect(await read(app)).toMatchObject({ status: 'not_installed' });
  });

  it('APP-22 CRB-07: is connected again in place for crmb, and for crma only after it was uninstalled', async () => {
    const { vault_id } = await platform.newVault(caller);
    const code = newCode();
    await connectCrm(connect, vault_id, code);
    const again = connectCrm(connect, vault_id, code);
    if (app === 'crmb') return expect(await again).toMatchObject({ installed: true });
    expect(await reasonOf(again)).toBe('APP_INSTALLED');
    await platform.harness.bus.call(disconnect, {}, caller);
    expect(await connectCrm(connect, vault_id, code)).toMatchObject({ installed: true });
  });
});
