import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { updateAccount } from '@vaultsvc/contracts/auth';
import {
  appIds,
  deleteApp,
  InstallationChange,
  installApp,
  listApps,
  NewInstallation,
  readApp,
  updateApp,
  type AppId,
} from '@vaultsvc/contracts/integrations';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { AppCatalog, type CatalogEntries } from '../catalog/app-catalog.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import { TokenRevocations } from '../tokens/token-revocations.js';
import { InstallationChanges, ownerOf } from '../lifecycle/installation-changes.js';
import { InstallationRepository } from './installation.repository.js';

const platform = useIntegrations();
let caller: AccountContext;
beforeAll(async () => {
  caller = await platform.newCaller();
});

const list = (context = caller) => platform.harness.bus.call(listApps, {}, context);
const read = (app_id: string, context = caller) =>
  platform.harness.bus.call(readApp, { params: { app_id } }, context);
const install = (app_id: string, body: Partial<NewInstallation> = {}, context = caller) =>
  platform.harness.bus.call(
    installApp,
    { params: { app_id }, body: Object.assign(new NewInstallation(), body) },
    context,
  );
const update = (app_id: string, body: Partial<InstallationChange>, context = caller) =>
  platform.harness.bus.call(
    updateApp,
    { params: { app_id }, body: Object.assign(new InstallationChange(), { settings: {} }, body) },
    context,
  );
const uninstall = (app_id: string, context = caller) =>
  platform.harness.bus.call(deleteApp, { params: { app_id } }, context);

const asMember = (context: AccountContext): AccountContext => ({
  ...context,
  credential: { ...context.credential, role: 'member' },
});

describe('the integrations of an account', () => {
  it('APP-01 APP-02: are all available, the installed ones, too', async () => {
    const own = await platform.newCaller();
    expect(await list(own)).toEqual({ installed: [], available: ['chatapp', 'crma', 'crmb'] });
    const { installed_at } = await install('crma', { settings: { color: 'red' } }, own);
    expect(await list(own)).toEqual({
      installed: [{ app_id: 'crma', status: 'active', installed_at, settings: { color: 'red' } }],
      available: ['chatapp', 'crma', 'crmb'],
    });
  });

  it.each([...appIds])(
    'APP-03 APP-04 APP-05: %s is described, also while it is not installed',
    async (id) => {
      const own = await platform.newCaller();
      expect(await read(id, own)).toMatchObject({
        app_id: id,
        status: 'not_installed',
        installed: false,
        installed_at: null,
        settings: {},
        category: 'integrations',
        oauth_required: true,
        features: expect.arrayContaining([expect.any(String)]),
        pricing: { operations: expect.any(Object), description: expect.any(String) },
      });
    },
  );

  it('APP-06: name the account with its logos', async () => {
    const own = await platform.newCaller();
    const body = { organization_name: 'Engines', logo_url_light: 'https://example.com/light.svg' };
    await platform.harness.bus.call(updateAccount, { body }, own);
    expect((await read('crmb', own)).account).toEqual({
      organization_name: 'Engines',
      logo_url_light: 'https://example.com/light.svg',
      logo_url_dark: null,
    });
  });
});

describe('an installation', () => {
  it('APP-08 APP-09: is the catalog entry with settings and a time', async () => {
    const own = await platform.newCaller();
    const from = Math.floor(Date.now() / 1_000);
    const app = await install('chatapp', { settings: { a: 1 }, remote_id: 'T1' }, own);
    expect(app).toEqual({
      ...(await read('chatapp', own)),
      status: 'active',
      installed: true,
      settings: { a: 1 },
      remote_id: 'T1',
    });
    expect(app.installed_at).toBeGreaterThanOrEqual(from);
  });

  it('APP-11: is made once, however many calls race for it', async () => {
    const own = await platform.newCaller();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => install('crma', {}, own)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const one of refused)
      expect((one as PromiseRejectedResult).reason).toMatchObject({
        reason: 'APP_INSTALLED',
        code: 'CONFLICT',
      });
  });

  it('APP-13: merges settings key by key, and null removes one', async () => {
    const own = await platform.newCaller();
    await install('crmb', { settings: { a: 1 } }, own);
    expect((await update('crmb', { settings: { b: { c: [2] } } }, own)).settings).toEqual({
      a: 1,
      b: { c: [2] },
    });
    await Promise.all([1, 2, 3, 4].map((n) => update('crmb', { settings: { [`k${n}`]: n } }, own)));
    expect((await update('crmb', { settings: { a: null } }, own)).settings).toEqual({
      b: { c: [2] },
      k1: 1,
      k2: 2,
      k3: 3,
      k4: 4,
    });
  });

  it('APP-13: keeps settings of at most 8 KiB together', async () => {
    const own = await platform.newCaller();
    await install('crmb', { settings: { a: 'x'.repeat(5_000) } }, own);
    expect(await reasonOf(update('crmb', { settings: { b: 'x'.repeat(5_000) } }, own))).toBe(
      'VALIDATION_ERROR',
    );
    expect(Object.keys((await read('crmb', own)).settings)).toEqual(['a']);
    // 5,015 bytes of JSON are around the text of `b`.
    expect(await reasonOf(update('crmb', { settings: { b: 'x'.repeat(3_178) } }, own))).toBe(
      'VALIDATION_ERROR',
    );
    expect(await reasonOf(update('crmb', { settings: { b: 'x'.repeat(3_177) } }, own))).toBe('none');
  });

  it('APP-15: is removed softly: a later one is active again with its settings', async () => {
    const own = await platform.newCaller();
    await install('crma', { settings: { a: 1 } }, own);
    await uninstall('crma', own);
    expect(await read('crma', own)).toMatchObject({
      status: 'not_installed',
      installed_at: null,
      settings: {},
    });
    expect(await install('crma', { settings: { b: 2 } }, own)).toMatchObject({
      status: 'active',
      settings: { a: 1, b: 2 },
    });
  });

  it('APP-14: must exist to be changed or removed, whatever else is installed', async () => {
    const own = await platform.newCaller();
    await install('chatapp', { settings: { a: 1 } }, own);
    const expectNone = async () => {
      expect(await reasonOf(update('crma', { settings: { a: 2 } }, own))).toBe('APP_NOT_INSTALLED');
      expect(await reasonOf(uninstall('crma', own))).toBe('APP_NOT_INSTALLED');
      expect(await read('crma', own)).toMatchObject({ status: 'not_installed' });
      expect(await read('chatapp', own)).toMatchObject({ status: 'active', settings: { a: 1 } });
    };
    await expectNone();
    await install('crma', {}, own);
    await uninstall('crma', own);
    await expectNone();
  });

  it('APP-17: is of an integration of the catalog', async () => {
    for (const act of [read, install, uninstall]) expect(await reasonOf(act('fax'))).toBe('APP_NOT_FOUND');
    expect(await reasonOf(update('constructor', {}))).toBe('APP_NOT_FOUND');
  });

  it('APP-07: is changed by admins, owners and API keys only', async () => {
    const member = asMember(await platform.newCaller());
    expect(await reasonOf(install('crma', {}, member))).toBe('ROLE_REQUIRED');
    expect(await reasonOf(update('crma', {}, member))).toBe('ROLE_REQUIRED');
    expect(await reasonOf(uninstall('crma', member))).toBe('ROLE_REQUIRED');
    expect(await read('crma', member)).toMatchObject({ installed: false });
  });

  it('AUD-01: is told to the audit log with the one who changed it', async () => {
    const own = await platform.newCaller();
    const { accountId: account_id, userId: actor_id } = own.credential;
    await install('crma', {}, own);
    await update('crma', {}, own);
    await uninstall('crma', own);
    const events = await outboxEvents(platform.service, { account_id }, { columns: ['name', 'payload'] });
    expect(events).toEqual(
      ['app-installed', 'app-updated', 'app-uninstalled'].map((name) => ({
        name: `integrations.${name}`,
        payload: { account_id, app_id: 'crma', actor_id },
      })),
    );
  });
});

describe('a workspace of a provider', () => {
  it('APP-10 APP-27: belongs to one active account, by install and by update', async () => {
    const [one, other] = [await platform.newCaller(), await platform.newCaller()];
    await install('chatapp', { remote_id: 'T-shared' }, one);
    expect(await reasonOf(install('chatapp', { remote_id: 'T-shared' }, other))).toBe('APP_REMOTE_TAKEN');
    await install('chatapp', {}, other);
    expect(await reasonOf(update('chatapp', { remote_id: 'T-shared' }, other))).toBe('APP_REMOTE_TAKEN');
    await uninstall('chatapp', one);
    expect((await update('chatapp', { remote_id: 'T-shared' }, other)).remote_id).toBe('T-shared');
    expect(await reasonOf(install('chatapp', { remote_id: 'T-shared' }, one))).toBe('APP_REMOTE_TAKEN');
    expect((await install('crma', { remote_id: 'T-shared' }, one)).remote_id).toBe('T-shared');
  });

  it('APP-10: is claimed by one of many accounts at once', async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => platform.newCaller()));
    const outcomes = await Promise.allSettled(
      callers.map((own) => install('chatapp', { remote_id: 'T-raced' }, own)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('an integration that needs another one', () => {
  /** The catalog has no dependencies; a test has one of its own. */
  const changesWith = (requires: Record<string, readonly string[]>): InstallationChanges => {
    const plain = new AppCatalog();
    const entries = plain.ids.map((id) => [id, { ...plain.entry(id), requires: requires[id] ?? [] }]);
    const { context } = platform.service;
    return new InstallationChanges(
      context.get(Database),
      new AppCatalog(Object.fromEntries(entries) as CatalogEntries),
      context.get(InstallationRepository),
      context.get(TokenRevocations),
      context.get(Outbox),
    );
  };
  const installWith = async (changes: InstallationChanges, appId: AppId, own: AccountContext) =>
    changes.install(
      { ...new AppCatalog().entry(appId), requires: appId === 'crmb' ? ['crma'] : [] },
      own,
      (tx) =>
        platform.service.context
          .get(InstallationRepository)
          .install(tx, ownerOf(own), appId, { settings: {}, remoteId: null }),
    );

  it('APP-12 APP-16: is installed after it, and keeps it installed', async () => {
    const own = await platform.newCaller();
    const changes = changesWith({ crmb: ['crma'] });
    expect(await reasonOf(installWith(changes, 'crmb', own))).toBe('VALIDATION_ERROR');
    await installWith(changes, 'crma', own);
    await installWith(changes, 'crmb', own);
    expect(await reasonOf(changes.uninstall('crma', own))).toBe('APP_REQUIRED');
    await changes.uninstall('crmb', own);
    await changes.uninstall('crma', own);
    expect((await list(own)).installed).toEqual([]);
  });

  it('APP-16: never stays without it when both change at once', async () => {
    const changes = changesWith({ crmb: ['crma'] });
    for (let round = 0; round < 10; round++) {
      const own = await platform.newCaller();
      await installWith(changes, 'crma', own);
      await Promise.allSettled([installWith(changes, 'crmb', own), changes.uninstall('crma', own)]);
      const ids = (await list(own)).installed.map(({ app_id }) => app_id);
      expect([['crma', 'crmb'], []]).toContainEqual(ids);
    }
  });
});
