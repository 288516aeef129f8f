import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { connectCrma, connectCrmb, disconnectCrma, type CrmId } from '@vaultsvc/contracts/integrations';
import {
  deleteFolder,
  deleteVault,
  listFolders,
  unsealVault,
  updateFolder,
  type Folder,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { InstallationRepository } from '../installations/installation.repository.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import type { CrmCaller } from './crm-caller.js';
import { RecordFolders } from './record-folders.js';
import { RecordPermissions } from './record-permissions.js';

const platform = useIntegrations();
let folders: RecordFolders;
let permissions: RecordPermissions;
beforeAll(() => {
  folders = platform.service.context.get(RecordFolders);
  permissions = platform.service.context.get(RecordPermissions);
});

const contact = (record_id: string) => ({ object_type: 'contact', record_id });

/** A new account with a vault, whose CRMs can be connected. */
async function newOwner() {
  const owner = await platform.newCaller();
  const vault = await platform.newVault(owner);
  const { vat } = await platform.harness.bus.call(
    unsealVault,
    { params: { vault_id: vault.vault_id }, body: { vmk: vault.vmk, ttl_seconds: 3_600 } },
    owner,
  );
  const context = { ...owner, vault: { token: vat, accessLevel: 'read_write' as const } };
  const params = { vault_id: vault.vault_id };
  const list = async (): Promise<Folder[]> =>
    (await platform.harness.bus.call(listFolders, { params, query: { limit: 500 } }, context)).folders;
  return {
    owner,
    context,
    params,
    list,
    paths: async () => (await list()).map(({ path }) => path).sort(),
    /** A person of the portal or org of a code, or of a new one. */
    connect: (app: CrmId, code?: string) => connect(owner, app, vault.vault_id, code),
  };
}

async function connect(
  owner: AccountContext,
  app: CrmId,
  vault_id: string,
  code = `local-ok-${newId('code_')}`,
): Promise<CrmCaller & { readonly code: string }> {
  const body = { code, redirect_uri: 'https://app.example.com/callback', vault_id };
  const remoteId =
    app === 'crma'
      ? (await platform.harness.bus.call(connectCrma, { body }, owner)).portal_id
      : (await platform.harness.bus.call(connectCrmb, { body }, owner)).org_id;
  const installation = await platform.service.context
    .get(InstallationRepository)
    .findConnected(app, remoteId);
  if (!installation) throw new Error(`${app} is not connected`);
  return {
    installation: { ...installation, vaultId: vault_id },
    userId: '101',
    requestId: owner.requestId,
    get deadlineMs() {
      return owner.deadlineMs;
    },
    code,
  };
}

describe('the folder of a record', () => {
  it('CRA-04: is created once, however many ask at once, and nothing else with it', async () => {
    const { connect, list } = await newOwner();
    const portal = await connect('crma');
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => folders.findOrCreate(portal, contact('51'))),
    );
    const [parent, folder, ...others] = (await list()).sort((a, b) => a.path.length - b.path.length);
    expect(others).toEqual([]);
    expect(new Set(ids)).toEqual(new Set([folder?.folder_id]));
    expect(folder).toMatchObject({ parent_id: parent?.folder_id, name: 'contact 51' });
    expect(parent?.name).toBe(`CRM A (${portal.installation.remoteId})`);
  });

  it('CRA-04 CRB-04 OPEN-37: is one for both forms of an id of crmb, and another for an id that differs in case', async () => {
    const org = await (await newOwner()).connect('crmb');
    const open = (id: string) => folders.findOrCreate(org, { object_type: 'Account', record_id: id });
    const [short, whole, other] = await Promise.all(
      ['001A0000006Vm9r', '001A0000006Vm9rIAC', '001A0000006Vm9R'].map(open),
    );
    expect(short).toBe(whole);
    expect(other).not.toBe(short);
    expect(await permissions.folderOf(org, { object_type: 'Account', record_id: '001A0000006Vm9RIAS' })).toBe(
      other,
    );
    expect(await reasonOf(open('001A0000006Vm9RIAC'))).toBe('VALIDATION_ERROR');
  });

  it('CRA-04 OPEN-37: is another for an id or a type that differs in case, with a number in its name', async () => {
    const { connect, paths } = await newOwner();
    const portal = await connect('crma');
    const records = [contact('Ab1'), contact('aB1'), { object_type: 'Contact', record_id: 'ab1' }];
    const ids = [];
    for (const record of records) ids.push(await folders.findOrCreate(portal, record));
    expect(new Set(ids).size).toBe(3);
    const parent = `CRM A (${portal.installation.remoteId})`;
    expect(await paths()).toEqual([
      parent,
      `${parent}/Contact ab1 (3)`,
      `${parent}/contact Ab1`,
      `${parent}/contact aB1 (2)`,
    ]);
  });

  it('CRA-04 OPEN-37: has a name for the longest type and id, and is not that of another that starts alike', async () => {
    const { connect, list } = await newOwner();
    const portal = await connect('crma');
    const open = (end: string) =>
      folders.findOrCreate(portal, { object_type: 't'.repeat(128), record_id: 'r'.repeat(127) + end });
    expect(await open('1')).not.toBe(await open('2'));
    const name = `${'t'.repeat(128)} ${'r'.repeat(111)}`;
    const parent = `CRM A (${portal.installation.remoteId})`;
    expect((await list()).map((folder) => folder.name).sort()).toEqual([parent, name, `${name} (2)`]);
  });

  it.each(['crma', 'crmb'] as const)(
    'OPEN-37 APP-15: of %s belongs to its portal or org: the next one in the same vault does not find it, the same one does',
    async (app) => {
      const { connect, owner, context, params, list } = await newOwner();
      const first = await connect(app);
      const kept = await folders.findOrCreate(first, contact('51'));
      if (app === 'crma') await platform.harness.bus.call(disconnectCrma, {}, owner);
      const second = await connect(app);
      expect(await permissions.folderOf(second, contact('51'))).toBeNull();
      const other = await folders.findOrCreate(second, contact('51'));
      expect(other).not.toBe(kept);
      const ofSecond = (await list()).find(({ folder_id }) => folder_id === other);
      expect(ofSecond?.name).toBe('contact 51');
      const moved = { params: { ...params, folder_id: kept }, body: { name: 'Moved', parent_id: null } };
      await platform.harness.bus.call(updateFolder, moved, context);
      if (app === 'crma') await platform.harness.bus.call(disconnectCrma, {}, owner);
      const again = await connect(app, first.code);
      expect(again.installation.remoteId).toBe(first.installation.remoteId);
      expect(await permissions.folderOf(again, contact('51'))).toBe(kept);
      expect(await folders.findOrCreate(again, contact('51'))).toBe(kept);
      expect((await list()).filter(({ name }) => name === 'Moved')).toHaveLength(1);
    },
  );

  it('OPEN-37: is never one of the same name that somebody else made', async () => {
    const { connect, context, params, list } = await newOwner();
    const portal = await connect('crma');
    const mine = await folders.findOrCreate(portal, contact('51'));
    const name = 'contact 52';
    await platform.harness.bus.call(
      updateFolder,
      { params: { ...params, folder_id: mine }, body: { name } },
      context,
    );
    expect(await folders.findOrCreate(portal, contact('52'))).not.toBe(mine);
    expect((await list()).map((folder) => folder.name)).toContain('contact 52 (2)');
  });

  it('is created again when it was deleted', async () => {
    const { connect, context, params, list } = await newOwner();
    const portal = await connect('crma');
    const folder_id = await folders.findOrCreate(portal, contact('51'));
    await platform.harness.bus.call(deleteFolder, { params: { ...params, folder_id } }, context);
    const again = await folders.findOrCreate(portal, contact('51'));
    expect((await list()).map((folder) => folder.folder_id)).toContain(again);
  });

  it('is that of a row which an instance of the release before has added under the id as it was sent', async () => {
    const org = await (await newOwner()).connect('crmb');
    const { accountId, remoteId, vaultId } = org.installation;
    const folder_id = newId('fld_');
    await platform.sql(
      `INSERT INTO record_folders (account_id, app_id, remote_id, vault_id, object_type, record_id, folder_id)
       VALUES ($1, 'crmb', $2, $3, 'contact', '001A0000006Vm9r', $4)`,
      [accountId, remoteId, vaultId, folder_id],
    );
    expect(await folders.findOrCreate(org, contact('001A0000006Vm9rIAC'))).toBe(folder_id);
  });

  it('is unknown in a deleted vault', async () => {
    const { connect, owner, params } = await newOwner();
    const portal = await connect('crma');
    await platform.harness.bus.call(deleteVault, { params }, owner);
    expect(await reasonOf(folders.findOrCreate(portal, contact('51')))).toBe('VAULT_NOT_FOUND');
  });
});

describe('CRA-06 CRA-08: a VAT that was given to a person of a CRM', () => {
  it('is of this person and of this connection, and of no other account or CRM', async () => {
    const { connect, context, owner } = await newOwner();
    const { token } = context.vault;
    const portal = await connect('crma');
    await permissions.give(token, portal, Math.floor(Date.now() / 1_000) + 3_600);
    expect(await reasonOf(permissions.assertOf(token, portal))).toBe('none');
    const colleague = { ...portal, userId: '102' };
    const [stranger, ofOrg] = [await (await newOwner()).connect('crma'), await connect('crmb')];
    for (const other of [colleague, stranger, ofOrg])
      expect(await reasonOf(permissions.assertOf(token, other))).toBe('VERIFIED_REQUEST_REFUSED');
    expect(await reasonOf(permissions.assertOf('no token', portal))).toBe('VERIFIED_REQUEST_REFUSED');
    await platform.harness.bus.call(disconnectCrma, {}, owner);
    const again = await connect('crma', portal.code);
    expect(await reasonOf(permissions.assertOf(token, again))).toBe('VERIFIED_REQUEST_REFUSED');
  });
});
