import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  connectCrma,
  connectCrmb,
  CrmAuthorization,
  disconnectCrma,
  installApp,
  NewInstallation,
  readApp,
  type CrmId,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { InstallationRepository } from '../installations/installation.repository.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import { RefreshRepository } from '../tokens/refresh.repository.js';
import { TokenRefreshes } from './token-refreshes.js';
import { TokenSealer } from '../tokens/token-sealer.js';

const platform = useIntegrations();
const paths = { crma: '/oauth/v1/token', crmb: '/services/oauth2/token' };
const refusals = {
  crma: { status: 'BAD_REFRESH_TOKEN', message: 'missing or unknown refresh token' },
  crmb: { error: 'invalid_grant', error_description: 'expired access/refresh token' },
};
let caller: AccountContext;
beforeEach(async () => {
  await stopSchedule(platform.service);
  for (const provider of [platform.providers.crma, platform.providers.crmb]) {
    provider.fail({ mode: 'none' });
    provider.calls = [];
  }
  await platform.sql(`UPDATE installations SET refresh_at = now() + interval '1 day'`);
  caller = await platform.newCaller();
});

/** Connects a CRM and returns its portal or org. */
async function connect(app: CrmId): Promise<string> {
  const { vault_id } = await platform.newVault(caller);
  const redirect_uri = 'https://app.example.com/callback';
  const code = `local-ok-${newId('code_')}`;
  const body = Object.assign(new CrmAuthorization(), { code, redirect_uri, vault_id });
  return app === 'crma'
    ? (await platform.harness.bus.call(connectCrma, { body }, caller)).portal_id
    : (await platform.harness.bus.call(connectCrmb, { body }, caller)).org_id;
}

const makeDue = () =>
  platform.sql(`UPDATE installations SET refresh_at = now() WHERE account_id = $1`, [
    caller.credential.accountId,
  ]);
const repository = () => platform.service.context.get(RefreshRepository);
const run = () => platform.service.context.get(TokenRefreshes).run();
const tokensOf = async (app: CrmId) => {
  const { accountId } = caller.credential;
  const sealed = await platform.service.context.get(InstallationRepository).tokens(accountId, app);
  if (!sealed) return undefined;
  return platform.service.context.get(TokenSealer).open(accountId, app, sealed);
};
const isInstalled = async (app: CrmId) =>
  (await platform.harness.bus.call(readApp, { params: { app_id: app } }, caller)).installed;
const refreshes = (app: CrmId) =>
  platform.providers[app].calls.filter(
    ({ path, body }) =>
      path === paths[app] && (body as { grant_type?: string }).grant_type === 'refresh_token',
  );

describe.each<{ app: CrmId }>([{ app: 'crma' }, { app: 'crmb' }])('APP-20: the tokens of $app', ({ app }) => {
  it('are refreshed when they are due, once by all instances, and then not for a day', async () => {
    await connect(app);
    const before = await tokensOf(app);
    await run();
    expect(refreshes(app)).toEqual([]);
    await makeDue();
    await Promise.all([run(), run(), run()]);
    expect(refreshes(app)).toHaveLength(1);
    const after = await tokensOf(app);
    expect(after?.accessToken).not.toBe(before?.accessToken);
    expect(after?.refreshToken).toBeTruthy();
    await run();
    expect(refreshes(app)).toHaveLength(1);
  });

  it('APP-24: uninstall the app when the provider has ended the grant, with the event of an uninstallation', async () => {
    const remoteId = await connect(app);
    await makeDue();
    platform.providers[app].fail({ path: paths[app], mode: 'fail', status: 400, body: refusals[app] });
    await run();
    expect(await isInstalled(app)).toBe(false);
    expect(await tokensOf(app)).toBeUndefined();
    const connected = await platform.service.context.get(InstallationRepository).findConnected(app, remoteId);
    expect(connected).toBeUndefined();
    const { accountId } = caller.credential;
    const columns = ['name', 'payload'] as const;
    const events = await outboxEvents(platform.service, { account_id: accountId }, { columns });
    const remote = app === 'crma' ? { portal: remoteId } : { org: remoteId };
    const actor = { kind: 'app', id: app, app, ...remote, person: null };
    expect(events.at(-1)).toEqual({
      name: 'integrations.app-uninstalled',
      payload: { account_id: accountId, app_id: app, actor_id: app, actor },
    });
  });

  it.each([{ status: 500 }, { status: 429 }, { status: 400, body: { error: 'invalid_client' } }])(
    'stay as they are while the provider answers %j, and are tried again',
    async (answer) => {
      await connect(app);
      const before = await tokensOf(app);
      await makeDue();
      platform.providers[app].fail({ path: paths[app], mode: 'fail', ...answer });
      await run();
      expect(await isInstalled(app)).toBe(true);
      expect(await tokensOf(app)).toEqual(before);
      if (!before) throw new Error(`${app} is not connected`);
      platform.providers[app].fail({ path: paths[app], mode: 'fail', ...answer });
      const refresh = platform.service.context.get(OAuthProviders).of(app).refresh(before);
      expect(await reasonOf(refresh)).toBe('APP_PROVIDER_UNAVAILABLE');
      await makeDue();
      await run();
      expect((await tokensOf(app))?.accessToken).not.toBe(before?.accessToken);
    },
  );

  it('APP-24: that were replaced before the provider ended them do not end the installation', async () => {
    await connect(app);
    const former = { data_key_id: 'former', sealed: Buffer.from('former') };
    const { context } = platform.service;
    const { accountId } = caller.credential;
    const removed = await context
      .get(InstallationRepository)
      .remove(context.get(Database), accountId, app, former);
    expect(removed).toBeUndefined();
    expect(await isInstalled(app)).toBe(true);
  });
});

describe('APP-20: a refresh', () => {
  it('is not due for an integration that is installed and not connected', async () => {
    const input = { params: { app_id: 'crma' }, body: new NewInstallation() };
    await platform.harness.bus.call(installApp, input, caller);
    await makeDue();
    expect(await repository().claim()).toBeUndefined();
  });

  it('OPEN-38: is made by one instance at a time, also after an event during it', async () => {
    const remoteId = await connect('crma');
    await makeDue();
    expect(await repository().claim()).toMatchObject({ appId: 'crma', remoteId });
    const { accountId } = caller.credential;
    const hint = { accountId, appId: 'crma', remoteId, eventTime: undefined, suffices: false } as const;
    expect(await repository().hint(hint)).toBe(true);
    expect(await repository().claim()).toBeUndefined();
    await platform.sql(`UPDATE installations SET refresh_leased_until = now() WHERE account_id = $1`, [
      accountId,
    ]);
    expect(await repository().claim()).toMatchObject({ appId: 'crma', remoteId });
  });

  it('changes its app alone, and no tokens that were replaced since', async () => {
    await connect('crma');
    await connect('crmb');
    const { accountId } = caller.credential;
    await platform.sql(
      `UPDATE installations SET refresh_at = now() WHERE account_id = $1 AND app_id = 'crma'`,
      [accountId],
    );
    const due = await repository().claim();
    if (!due) throw new Error('crma is not due');
    // As if both CRMs had given the same tokens, and both refreshes were under way.
    await platform.sql(
      `UPDATE installations SET data_key_id = $2, sealed = $3, refresh_leased_until = now() + interval '1 hour' WHERE account_id = $1`,
      [accountId, due.tokens.data_key_id, due.tokens.sealed],
    );
    const appsWhere = (condition: string) =>
      platform.sql(`SELECT app_id FROM installations WHERE account_id = $1 AND ${condition}`, [accountId]);
    await repository().postpone(due);
    expect(await appsWhere('refresh_leased_until > now()')).toEqual([{ app_id: 'crmb' }]);
    const replaceBy = (text: string) =>
      repository().replaceTokens(due, { ...due.tokens, sealed: Buffer.from(text) });
    await replaceBy('second');
    expect(await appsWhere(`sealed = 'second'`)).toEqual([{ app_id: 'crma' }]);
    await replaceBy('late');
    expect(await appsWhere(`sealed = 'late'`)).toEqual([]);
  });
});

it('OPEN-38: an event is about the connection of its app and portal, and about none that is not connected', async () => {
  const { accountId } = caller.credential;
  const portal = await connect('crma');
  await connect('crmb');
  // As if the portal of one provider and the org of the other had the same id. Leased, so that no refresh answers the hint.
  await platform.sql(
    `UPDATE installations SET remote_id = $2, refresh_leased_until = now() + interval '1 hour' WHERE account_id = $1`,
    [accountId, portal],
  );
  const isHinted = (remoteId: string) =>
    repository().hint({ accountId, appId: 'crma', remoteId, eventTime: undefined, suffices: false });
  expect(await isHinted(`${portal}0`)).toBe(false);
  expect(await isHinted(portal)).toBe(true);
  expect(
    await platform.sql(`SELECT app_id FROM installations WHERE account_id = $1 AND hinted_at IS NOT NULL`, [
      accountId,
    ]),
  ).toEqual([{ app_id: 'crma' }]);
  await platform.sql(`UPDATE installations SET data_key_id = NULL, sealed = NULL WHERE account_id = $1`, [
    accountId,
  ]);
  expect(await isHinted(portal)).toBe(false);
});

describe('APP-23: the uninstallation of crma', () => {
  it('refreshes an expired token first, so that the app is removed from the portal, too', async () => {
    await connect('crma');
    const { accountId } = caller.credential;
    const tokens = await tokensOf('crma');
    if (!tokens) throw new Error('crma is not connected');
    const expired = { ...tokens, accessToken: 'expired', expiresAtMs: Date.now() - 1 };
    const { data_key_id, sealed } = await platform.service.context
      .get(TokenSealer)
      .seal(accountId, 'crma', expired);
    await platform.sql(`UPDATE installations SET data_key_id = $2, sealed = $3 WHERE account_id = $1`, [
      accountId,
      data_key_id,
      sealed,
    ]);
    await platform.harness.bus.call(disconnectCrma, {}, caller);
    const removals = () => platform.providers.crma.calls.filter(({ method }) => method === 'DELETE');
    await eventually(removals, ([removal]) => removal?.status === 204);
  });
});
