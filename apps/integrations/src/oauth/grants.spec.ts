import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  Authorization,
  connectChatapp,
  connectCrma,
  connectCrmb,
  CrmAuthorization,
  disconnectChatapp,
  InstallationChange,
  installApp,
  NewInstallation,
  readApp,
  updateApp,
  type AppId,
  type CrmId,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { lockWaiters, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { TokenRevocations } from '../tokens/token-revocations.js';
import { TokenSealer } from '../tokens/token-sealer.js';

const platform = useIntegrations();
const redirect_uri = 'https://app.example.com/callback';
let owner: AccountContext;
let other: AccountContext;
beforeEach(async () => {
  const { chat, crma, crmb } = platform.providers;
  for (const provider of [chat, crma, crmb]) {
    provider.fail({ mode: 'none' });
    provider.calls = [];
  }
  await platform.sql(`DELETE FROM token_revocations`);
  [owner, other] = [await platform.newCaller(), await platform.newCaller()];
});

const newCode = () => `local-ok-${newId('code_')}`;
const connectChat = (code: string, context: AccountContext) =>
  platform.harness.bus.call(
    connectChatapp,
    { body: Object.assign(new Authorization(), { code, redirect_uri }) },
    context,
  );
async function connectCrm(app: CrmId, code: string, context: AccountContext): Promise<unknown> {
  const { vault_id } = await platform.newVault(context);
  const body = Object.assign(new CrmAuthorization(), { code, redirect_uri, vault_id });
  return app === 'crma'
    ? platform.harness.bus.call(connectCrma, { body }, context)
    : platform.harness.bus.call(connectCrmb, { body }, context);
}
const connect = (app: AppId, code: string, context: AccountContext): Promise<unknown> =>
  app === 'chatapp' ? connectChat(code, context) : connectCrm(app, code, context);
const claim = (remote_id: string, context: AccountContext, app_id: AppId = 'chatapp') =>
  platform.harness.bus.call(
    installApp,
    { params: { app_id }, body: Object.assign(new NewInstallation(), { remote_id }) },
    context,
  );
const claimByUpdate = (remote_id: string, context: AccountContext) =>
  platform.harness.bus.call(
    updateApp,
    {
      params: { app_id: 'chatapp' },
      body: Object.assign(new InstallationChange(), { settings: {}, remote_id }),
    },
    context,
  );
const read = (context: AccountContext, app_id: AppId = 'chatapp') =>
  platform.harness.bus.call(readApp, { params: { app_id } }, context);
const installations = () => platform.service.context.get(InstallationRepository);
const callsOf = (app: 'chat' | CrmId) =>
  platform.providers[app].calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
/** The team of a code, which is connected by nobody afterwards. */
async function teamOf(code: string): Promise<string> {
  const somebody = await platform.newCaller();
  const { team_id } = await connectChat(code, somebody);
  await platform.harness.bus.call(disconnectChatapp, {}, somebody);
  await revoked();
  return team_id;
}
/** Resolves once nothing is left to revoke. */
const revoked = () =>
  eventually(
    () => platform.sql(`SELECT id FROM token_revocations`),
    ({ length }) => length === 0,
  );
const tokensOf = async (app: CrmId | 'chatapp', context: AccountContext) => {
  const { accountId } = context.credential;
  const sealed = await installations().tokens(accountId, app);
  return sealed && platform.service.context.get(TokenSealer).open(accountId, app, sealed);
};

/** Whether the provider still refreshes the owner's tokens. */
const isAlive = async (app: CrmId) => {
  const tokens = await tokensOf(app, owner);
  if (!tokens) throw new Error(`${app} is not connected`);
  return (await platform.service.context.get(OAuthProviders).of(app).refresh(tokens)) !== undefined;
};

describe('APP-10 APP-27: a workspace that is claimed without a grant', () => {
  it('is taken by a grant of the provider; the other installation stays without it, and is told', async () => {
    const code = newCode();
    const team = await teamOf(code);
    await claim(team, other);
    expect(await connectChat(code, owner)).toMatchObject({ installed: true, team_id: team });
    expect(await read(other)).toMatchObject({ status: 'active', installed: true, remote_id: null });
    expect(await read(owner)).toMatchObject({ status: 'active', remote_id: team });
    const account_id = other.credential.accountId;
    const events = await outboxEvents(platform.service, { account_id }, { columns: ['name', 'payload'] });
    expect(events.at(-1)).toEqual({
      name: 'integrations.app-updated',
      payload: { account_id, app_id: 'chatapp', actor_id: 'chatapp' },
    });
  });

  it('cannot be claimed by others, nor once it is granted', async () => {
    const code = newCode();
    const team = await teamOf(code);
    const third = await platform.newCaller();
    await claim(team, other);
    expect(await reasonOf(claim(team, third))).toBe('APP_REMOTE_TAKEN');
    expect(await installations().findConnected('chatapp', team)).toBeUndefined(); // its requests are nobody's
    await connectChat(code, owner);
    expect(await reasonOf(claim(team, third))).toBe('APP_REMOTE_TAKEN');
    expect(await reasonOf(claimByUpdate(team, other))).toBe('APP_REMOTE_TAKEN');
    expect(await reasonOf(claimByUpdate('T0ELSEWHERE', owner))).toBe('APP_CONNECTED');
  });

  it('is taken from its account alone: other integrations, workspaces and ended installations stay as they are', async () => {
    const code = newCode();
    const team = await teamOf(code);
    const ended = await platform.newCaller();
    await claim(team, ended);
    await platform.harness.bus.call(disconnectChatapp, {}, ended);
    await claim('T0UNTOUCHED', other);
    await claim(team, other, 'crma');
    await connectChat(code, owner);
    expect(await read(other)).toMatchObject({ remote_id: 'T0UNTOUCHED' });
    expect(await read(other, 'crma')).toMatchObject({ remote_id: team });
    const events = await outboxEvents(
      platform.service,
      { account_id: ended.credential.accountId },
      { columns: ['name'] },
    );
    expect(events.at(-1)).toEqual({ name: 'integrations.app-uninstalled' });
  });

  it('belongs to its grant, however many claims race with it', async () => {
    for (let round = 0; round < 5; round++) {
      const code = newCode();
      const team = await teamOf(code);
      const claimers = await Promise.all([0, 1, 2].map(() => platform.newCaller()));
      const granted = await platform.newCaller();
      const [connection] = await Promise.allSettled([
        connectChat(code, granted),
        ...claimers.map((one) => claim(team, one)),
      ]);
      expect(connection).toMatchObject({ status: 'fulfilled', value: { team_id: team } });
      const holders = await platform.sql<{ account_id: string }>(
        `SELECT account_id FROM installations WHERE remote_id = $1 AND status = 'active'`,
        [team],
      );
      expect(holders).toEqual([{ account_id: granted.credential.accountId }]);
    }
  });

  it('is refused to a second grant without naming anybody', async () => {
    const code = newCode();
    await connectChat(code, owner);
    const refusal = await connectChat(code, other).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: 'APP_REMOTE_TAKEN' });
    const { accountId, userId } = owner.credential;
    expect(JSON.stringify([refusal, String(refusal)])).not.toMatch(`${accountId}|${userId}`);
  });
});

describe('APP-20: an account', () => {
  const apps = ['chatapp', 'crma', 'crmb'] as const;

  it('connects each integration beside the others', async () => {
    for (const app of apps) await connect(app, newCode(), owner);
    for (const app of apps) expect(await read(owner, app)).toMatchObject({ status: 'active' });
    const tokens = await Promise.all(apps.map(async (app) => (await tokensOf(app, owner))?.accessToken));
    expect(new Set(tokens).size).toBe(3);
  });

  it.each<[AppId, string, { status: number; body: object }]>([
    ['chatapp', '/api/oauth.v2.access', { status: 200, body: { ok: true } }],
    ['crma', '/oauth/v1/access-tokens', { status: 404, body: {} }],
    [
      'crmb',
      '/services/oauth2/token',
      {
        status: 200,
        body: {
          access_token: 'a',
          id: 'https://login.example.com/id/00D000000000001/005000000000001',
          instance_url: 'https://instance.example.com',
        },
      },
    ],
  ])('does not connect %s by a grant without a token or a known owner', async (app, path, answer) => {
    platform.providers[app === 'chatapp' ? 'chat' : app].fail({ path, mode: 'fail', ...answer });
    expect(await reasonOf(connect(app, newCode(), owner))).toBe('APP_GRANT_REFUSED');
    expect(await read(owner, app)).toMatchObject({ status: 'not_installed' });
  });

  it('connects nothing while the operator has set no credentials', async () => {
    const config = platform.service.context.get(IntegrationsConfig);
    const { CRMA_CLIENT_ID } = config;
    config.CRMA_CLIENT_ID = '';
    expect(await reasonOf(connect('crma', newCode(), owner))).toBe('APP_UNCONFIGURED');
    config.CRMA_CLIENT_ID = CRMA_CLIENT_ID;
  });

  it('APP-22: connects crma by one of two callbacks that have both found it unconnected', async () => {
    const { accountId } = owner.credential;
    const { both } = await platform.service.context.get(Database).transaction(async (tx) => {
      await installations().lock(tx, accountId);
      const connecting = [0, 1].map(() => reasonOf(connect('crma', newCode(), owner)));
      await until(async () => (await lockWaiters(platform.service)) === 2);
      return { both: Promise.all(connecting) };
    });
    expect((await both).sort()).toEqual(['APP_INSTALLED', 'none']);
  });
});

describe('APP-20: tokens of a grant that is not used', () => {
  it('are revoked when their workspace is taken, unless the living connection has the same', async () => {
    const code = newCode();
    await connectChat(code, owner);
    expect(await reasonOf(connectChat(code, other))).toBe('APP_REMOTE_TAKEN');
    await revoked();
    expect(callsOf('chat')).not.toContain('POST /api/auth.revoke');
    const bot = await tokensOf('chatapp', owner);
    const answer = await fetch(`${platform.providers.chat.url}/api/auth.test`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bot?.accessToken}` },
    });
    expect(await answer.json()).toMatchObject({ ok: true });
  });

  it('are revoked alone when their portal is taken: the app stays in the portal', async () => {
    const code = newCode();
    await connectCrm('crma', code, owner);
    expect(await reasonOf(connectCrm('crma', code, other))).toBe('APP_REMOTE_TAKEN');
    await revoked();
    const deleted = callsOf('crma').filter((call) => call.startsWith('DELETE '));
    expect(deleted).toEqual([expect.stringMatching(/^DELETE \/oauth\/v1\/refresh-tokens\/\w+$/)]);
    expect(deleted[0]).not.toContain((await tokensOf('crma', owner))?.refreshToken);
    expect(await isAlive('crma')).toBe(true);
  });

  it('are revoked when their org is taken', async () => {
    const code = newCode();
    await connectCrm('crmb', code, owner);
    expect(await reasonOf(connectCrm('crmb', code, other))).toBe('APP_REMOTE_TAKEN');
    await revoked();
    const ended = platform.providers.crmb.calls
      .filter(({ path }) => path === '/services/oauth2/revoke')
      .map(({ body }) => (body as { token?: string }).token);
    expect(ended).toEqual([expect.any(String)]);
    expect(ended).not.toContain((await tokensOf('crmb', owner))?.refreshToken);
    expect(await isAlive('crmb')).toBe(true);
  });

  it.each([
    ['CHT-01: of too few scopes', 'local-ok-noscope'],
    ['CHT-02: of a whole organization', 'local-ok-grid'],
  ])('%s are revoked', async (_, kind) => {
    expect(await reasonOf(connectChat(`${kind}-${newId('code_')}`, owner))).toBe('VALIDATION_ERROR');
    await eventually(
      () => callsOf('chat'),
      (calls) => calls.includes('POST /api/auth.revoke'),
    );
  });

  it('are revoked when nobody says whose they are, with the app of that portal', async () => {
    platform.providers.crma.fail({ path: '/oauth/v1/access-tokens', mode: 'fail', count: 1 });
    expect(await reasonOf(connectCrm('crma', newCode(), owner))).toBe('APP_PROVIDER_UNAVAILABLE');
    await eventually(
      () => callsOf('crma'),
      (calls) => calls.includes('DELETE /appinstalls/v3/external-install'),
    );
  });

  it('are revoked later when the provider does not answer, and not if their workspace was connected with them since', async () => {
    const code = newCode();
    await connectChat(code, owner);
    platform.providers.chat.fail({ path: '/api/auth.revoke', mode: 'fail', count: 1 });
    await platform.harness.bus.call(disconnectChatapp, {}, owner);
    await eventually(
      () =>
        platform.sql(`SELECT 1 FROM token_revocations WHERE next_attempt_at > now() + interval '40 seconds'`),
      ({ length }) => length === 1,
    );
    await connectChat(code, other); // the workspace keeps its bot token
    platform.providers.chat.calls = [];
    await stopSchedule(platform.service);
    await platform.sql(`UPDATE token_revocations SET next_attempt_at = now()`);
    await platform.service.context.get(TokenRevocations).run();
    expect(await platform.sql(`SELECT id FROM token_revocations`)).toEqual([]);
    expect(callsOf('chat')).toEqual([]);
  });
});
