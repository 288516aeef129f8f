import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  Authorization,
  connectChatapp,
  connectCrma,
  connectCrmb,
  CrmAuthorization,
  readApp,
  type AppId,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { InstallationRepository } from '../installations/installation.repository.js';
import { UninstallHints, type ReceivedHint } from './uninstall-hints.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import { TokenRefreshes } from './token-refreshes.js';

const platform = useIntegrations();
const redirect_uri = 'https://app.example.com/callback';
const asked = { chatapp: '/api/auth.test', crma: '/oauth/v1/token', crmb: '/services/oauth2/token' };
const refusals = {
  chatapp: { ok: false, error: 'token_revoked' },
  crma: { status: 'BAD_REFRESH_TOKEN', message: 'missing or unknown refresh token' },
  crmb: { error: 'invalid_grant', error_description: 'expired access/refresh token' },
};
const providerOf = (app: AppId) => platform.providers[app === 'chatapp' ? 'chat' : app];
let caller: AccountContext;
beforeEach(async () => {
  await stopSchedule(platform.service);
  for (const app of ['chatapp', 'crma', 'crmb'] as const) {
    providerOf(app).fail({ mode: 'none' });
    providerOf(app).calls = [];
  }
  await platform.sql(
    `UPDATE installations SET refresh_at = now() + interval '1 day', hint_due_at = NULL, hinted_at = NULL`,
  );
  caller = await platform.newCaller();
});

async function connect(app: AppId, code = `local-ok-${newId('code_')}`): Promise<string> {
  if (app === 'chatapp') {
    const body = Object.assign(new Authorization(), { code, redirect_uri });
    return (await platform.harness.bus.call(connectChatapp, { body }, caller)).team_id;
  }
  const { vault_id } = await platform.newVault(caller);
  const body = Object.assign(new CrmAuthorization(), { code, redirect_uri, vault_id });
  return app === 'crma'
    ? (await platform.harness.bus.call(connectCrma, { body }, caller)).portal_id
    : (await platform.harness.bus.call(connectCrmb, { body }, caller)).org_id;
}
async function hint(app: AppId, remoteId: string, more: Partial<ReceivedHint> = {}): Promise<void> {
  const installation = await platform.service.context
    .get(InstallationRepository)
    .findConnected(app, remoteId);
  if (!installation) throw new Error(`${app} is not connected`);
  await platform.service.context.get(UninstallHints).receive({ installation, ...more });
}
const now = () => Math.floor(Date.now() / 1_000);
const run = () => platform.service.context.get(TokenRefreshes).run();
const isInstalled = async (app: AppId) =>
  (await platform.harness.bus.call(readApp, { params: { app_id: app } }, caller)).installed;
const hintOf = async () => {
  const [row] = await platform.sql<{ is_hinted: boolean; is_leased: boolean; due_in: number | null }>(
    `SELECT hinted_at IS NOT NULL AS is_hinted, refresh_leased_until > now() AS is_leased, extract(epoch FROM hint_due_at - now())::float AS due_in
       FROM installations WHERE account_id = $1`,
    [caller.credential.accountId],
  );
  return row;
};
const makeDue = () =>
  platform.sql(
    `UPDATE installations SET hint_due_at = now() WHERE account_id = $1 AND hint_due_at IS NOT NULL`,
    [caller.credential.accountId],
  );
const timesAsked = (app: AppId) => providerOf(app).calls.filter(({ path }) => path === asked[app]).length;
const unanswered = (app: AppId) => providerOf(app).fail({ path: asked[app], mode: 'fail', status: 503 });

describe.each<{ app: AppId }>([{ app: 'chatapp' }, { app: 'crma' }, { app: 'crmb' }])(
  'OPEN-38 APP-24: an event that $app was uninstalled',
  ({ app }) => {
    it('ends the installation when the provider refuses its tokens, at once', async () => {
      const remoteId = await connect(app);
      const status = app === 'chatapp' ? 200 : 400;
      providerOf(app).fail({ path: asked[app], mode: 'fail', status, body: refusals[app] });
      await hint(app, remoteId, { eventTime: now() });
      await eventually(
        () => isInstalled(app),
        (installed) => !installed,
      );
    });

    it('ends nothing while the tokens live', async () => {
      const remoteId = await connect(app);
      const before = timesAsked(app);
      await hint(app, remoteId, { eventTime: now() });
      await eventually(hintOf, (row) => row?.is_hinted === false);
      expect(timesAsked(app)).toBe(before + 1);
      expect(await isInstalled(app)).toBe(true);
      await run();
      expect(timesAsked(app)).toBe(before + 1);
    });

    it('OPEN-38: is ignored when it is older than the connection, which may have been renewed since', async () => {
      const code = `local-ok-${newId('code_')}`;
      const remoteId = await connect(app, code);
      await platform.sql(
        `UPDATE installations SET installed_at = now() - interval '1 day' WHERE account_id = $1`,
        [caller.credential.accountId],
      );
      unanswered(app);
      await hint(app, remoteId, { eventTime: now() - 3_600 });
      expect(await hintOf()).toMatchObject({ is_hinted: false });
      expect(await isInstalled(app)).toBe(true);
    });

    it('cannot end a connection that was made while the provider was asked', async () => {
      const code = `local-ok-${newId('code_')}`;
      const remoteId = await connect(app, code);
      const installations = platform.service.context.get(InstallationRepository);
      const old = await installations.findConnected(app, remoteId);
      if (!old) throw new Error('not connected');
      await platform.sql(`UPDATE installations SET sealed = sealed || '\\x00'::bytea WHERE account_id = $1`, [
        caller.credential.accountId,
      ]);
      await platform.service.context.get(UninstallHints).receive({ installation: old, isAdmin: true });
      expect(await isInstalled(app)).toBe(true);
    });
  },
);

describe.each<{ app: 'crma' | 'crmb' }>([{ app: 'crma' }, { app: 'crmb' }])(
  'OPEN-38: an unconfirmed uninstallation of $app',
  ({ app }) => {
    it('is asked again for 24 hours while the provider does not answer, and then by the daily refresh', async () => {
      const remoteId = await connect(app);
      unanswered(app);
      await hint(app, remoteId);
      await eventually(
        hintOf,
        (row) => row?.is_leased === false && (row.due_in ?? 0) > 1 && timesAsked(app) === 2,
      );
      expect(await isInstalled(app)).toBe(true);
      expect((await hintOf())?.due_in).toBeLessThanOrEqual(30);
      await platform.sql(
        `UPDATE installations SET hinted_at = hinted_at - interval '24 hours' WHERE account_id = $1`,
        [caller.credential.accountId],
      );
      unanswered(app);
      await makeDue();
      await run();
      expect(await hintOf()).toMatchObject({ is_hinted: false, due_in: null });
    });

    it('ends the installation once the provider answers', async () => {
      const remoteId = await connect(app);
      unanswered(app);
      await hint(app, remoteId);
      await eventually(
        hintOf,
        (row) => row?.is_leased === false && (row.due_in ?? 0) > 1 && timesAsked(app) === 2,
      );
      providerOf(app).fail({ path: asked[app], mode: 'fail', status: 400, body: refusals[app] });
      await makeDue();
      await run();
      expect(await isInstalled(app)).toBe(false);
    });
  },
);

describe('OPEN-38: an event of the chat platform', () => {
  it('suffices where the platform does not answer; a token that may live is revoked', async () => {
    const team = await connect('chatapp');
    unanswered('chatapp');
    await hint('chatapp', team, { eventTime: now() });
    await eventually(
      () => isInstalled('chatapp'),
      (installed) => !installed,
    );
    await eventually(
      () => platform.providers.chat.calls.map(({ path }) => path),
      (paths) => paths.includes('/api/auth.revoke'),
    );
  });

  it('does not suffice without its time', async () => {
    const team = await connect('chatapp');
    unanswered('chatapp');
    await hint('chatapp', team);
    await eventually(
      hintOf,
      (row) => row?.is_leased === false && (row.due_in ?? 0) > 1 && timesAsked('chatapp') === 1,
    );
    expect(await isInstalled('chatapp')).toBe(true);
  });
});

it('OPEN-38: an admin of an org ends its installation at once', async () => {
  const org = await connect('crmb');
  await hint('crmb', org, { isAdmin: true });
  expect(await isInstalled('crmb')).toBe(false);
});
