import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { removeUser, revokeApiKey } from '@vaultsvc/contracts/auth';
import {
  Authorization,
  connectChatapp,
  disconnectChatapp,
  InstallationChange,
  installApp,
  listApps,
  NewInstallation,
  readApp,
  updateApp,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import { useIntegrations } from '../testing/integrations-platform.js';
import { contextOf } from './installation-context.js';
import { InstallationRepository } from './installation.repository.js';

const platform = useIntegrations();
let owner: AccountContext;
beforeEach(async () => {
  owner = await platform.newCaller();
});

/** Another user of the owner's account. */
async function newAdmin(): Promise<AccountContext> {
  const { accountId } = owner.credential;
  const { subject: userId } = await mintSession(platform.auth, { accountId, role: 'admin' });
  return accountContext({ kind: 'session', accountId, userId, role: 'admin' });
}
async function connect(context: AccountContext): Promise<string> {
  const body = Object.assign(new Authorization(), {
    code: `local-ok-${newId('code_')}`,
    redirect_uri: 'https://app.example.com/callback',
  });
  return (await platform.harness.bus.call(connectChatapp, { body }, context)).team_id;
}
const remove = ({ credential }: AccountContext) =>
  platform.harness.bus.call(removeUser, { params: { user_id: credential.userId as string } }, owner);
const installations = () => platform.service.context.get(InstallationRepository);
const latest = () => installations().findLatest(owner.credential.accountId, 'chatapp');
const installerOf = async () => (await latest())?.installedBy.userId;
const status = async () =>
  (await platform.harness.bus.call(readApp, { params: { app_id: 'chatapp' } }, owner)).status;

describe('APP-25: the installation of a removed user', () => {
  it('is handed to an owner of the account, and nothing acts for the user any more', async () => {
    const admin = await newAdmin();
    const team = await connect(admin);
    await remove(admin);
    await eventually(installerOf, (user) => user === owner.credential.userId);
    const installation = await installations().findConnected('chatapp', team);
    if (!installation) throw new Error('the chat app is not connected');
    const { credential } = contextOf(installation, 'request', 0, { kind: 'app', id: 'chatapp' });
    expect(JSON.stringify(credential)).not.toContain(admin.credential.userId);
    expect(JSON.stringify(credential)).not.toContain(admin.credential.credentialId);
    expect(await status()).toBe('active');
    const { accountId: account_id, userId: actor_id } = owner.credential;
    const events = await outboxEvents(platform.service, { account_id }, { columns: ['name', 'payload'] });
    expect(events.at(-1)).toEqual({
      name: 'integrations.app-updated',
      payload: { account_id, app_id: 'chatapp', actor_id },
    });
  });

  it('alone is handed over: what a colleague installed stays theirs', async () => {
    const [admin, colleague] = [await newAdmin(), await newAdmin()];
    await connect(admin);
    const body = new NewInstallation();
    await platform.harness.bus.call(installApp, { params: { app_id: 'crma' }, body }, colleague);
    await remove(admin);
    await eventually(installerOf, (user) => user === owner.credential.userId);
    const other = await installations().findLatest(owner.credential.accountId, 'crma');
    expect(other?.installedBy.userId).toBe(colleague.credential.userId);
  });

  it('is handed over, too, when it was ended: what it has left is deleted in the name of the owner', async () => {
    const admin = await newAdmin();
    await connect(admin);
    await platform.harness.bus.call(disconnectChatapp, {}, admin);
    await remove(admin);
    await eventually(installerOf, (user) => user === owner.credential.userId);
    expect(await status()).toBe('not_installed');
  });

  it('is not suspended without an owner when it was ended: the next one is active', async () => {
    const admin = await newAdmin();
    await connect(admin);
    await platform.harness.bus.call(disconnectChatapp, {}, admin);
    await platform.authSql(`UPDATE users SET status = 'invited' WHERE id = $1`, [owner.credential.userId]);
    await remove(admin);
    await eventually(latest, (ended) => ended?.installedBy.credentialId === 'chatapp');
    expect(await latest()).toMatchObject({ isSuspended: false });
    const body = new NewInstallation();
    const next = await platform.harness.bus.call(installApp, { params: { app_id: 'chatapp' }, body }, owner);
    expect(next.status).toBe('active');
  });

  it('is handed over when its API key is revoked, and that of another key is not', async () => {
    const { accountId } = owner.credential;
    const [revoked, other] = [
      await mintApiKey(platform.auth, { accountId }),
      await mintApiKey(platform.auth, { accountId }),
    ];
    const body = new NewInstallation();
    await platform.harness.bus.call(installApp, { params: { app_id: 'chatapp' }, body }, revoked.context);
    await platform.harness.bus.call(installApp, { params: { app_id: 'crma' }, body }, other.context);
    await platform.harness.bus.call(revokeApiKey, { params: { api_key_id: revoked.apiKeyId } }, owner);
    await eventually(installerOf, (user) => user === owner.credential.userId);
    const kept = await installations().findLatest(accountId, 'crma');
    expect(kept?.installedBy).toEqual({ userId: null, credentialId: other.apiKeyId });
  });

  it('is suspended while the account has no owner, and is taken over by its next change', async () => {
    const admin = await newAdmin();
    const team = await connect(admin);
    const { userId } = admin.credential;
    await platform.authSql(`UPDATE users SET status = 'invited' WHERE id = $1`, [owner.credential.userId]);
    await remove(admin);
    await eventually(status, (now) => now === 'suspended');
    expect(await reasonOf(installations().findConnected('chatapp', team))).toBe('APP_SUSPENDED');
    expect(await latest()).toMatchObject({ installedBy: { userId: null, credentialId: 'chatapp' } });
    const { installed } = await platform.harness.bus.call(listApps, {}, owner);
    expect(installed).toEqual([expect.objectContaining({ app_id: 'chatapp', status: 'suspended' })]);
    const body = Object.assign(new InstallationChange(), { settings: {} });
    const { status: after } = await platform.harness.bus.call(
      updateApp,
      { params: { app_id: 'chatapp' }, body },
      owner,
    );
    expect(after).toBe('active');
    expect(await installations().findConnected('chatapp', team)).toMatchObject({
      installedBy: { userId: owner.credential.userId },
    });
    expect(await installerOf()).not.toBe(userId);
  });
});
