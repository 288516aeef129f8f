import { beforeAll, describe, expect, it } from '@jest/globals';
import { deleteApp } from '@vaultsvc/contracts/integrations';
import { createDvak, listFolders } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { CrmClient, type CrmApp } from './crm-client.js';
import { PanelClient } from './panel-client.js';

const platform = usePlatform();
const noFiles = { status: 200, data: { files: [], count: 0 } };
const unknownFile = { status: 404, code: 'NOT_FOUND' };
const invalid = { status: 400, code: 'VALIDATION_ERROR' };

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

/** Puts a file on a record and returns its id. */
async function putFile(crm: CrmClient, record: object): Promise<string> {
  const panel = await PanelClient.open(crm, record);
  return panel.upload(await panel.unseal(), `${newId('f_')}.txt`, 'hello');
}

const idsOf = async (crm: CrmClient, record: object, user?: string) => {
  const { data } = await crm.request('files', record, user);
  return (data.files as { ingot_id: string }[]).map(({ ingot_id }) => ingot_id);
};
const unseal = async (crm: CrmClient, record: object, user?: string) =>
  (await crm.request('unseal', { ...record, vmk: crm.vault.vmk }, user)).data.vat as string;

async function foldersOf({ vault }: CrmClient, vat: string): Promise<string[]> {
  const headers = { 'X-Vault-Access-Token': vat };
  const input = { params: { vault_id: vault.vault_id }, query: { limit: 500 } };
  return succeeded(await tenant.owner.call(listFolders, input, headers)).folders.map(({ path }) => path);
}

describe('OPEN-37: records of crmb', () => {
  let crm: CrmClient;
  beforeAll(async () => {
    crm = await CrmClient.connect(tenant, 'crmb');
  });
  const account = (record_id: string) => ({ object_type: 'Account', record_id });

  it('CRA-04 CRB-04 CRB-05: are two where ids differ in case only', async () => {
    const [one, other] = [account('001A0000006Vm9r'), account('001A0000006Vm9R')];
    const ingot_id = await putFile(crm, one);
    expect(await idsOf(crm, one)).toEqual([ingot_id]);
    expect(await crm.request('files', other)).toEqual(noFiles);
    const vat = await unseal(crm, other);
    expect(await crm.request('download', { ...other, ingot_id, vat })).toEqual(unknownFile);
    await putFile(crm, other);
    expect(await idsOf(crm, one)).toEqual([ingot_id]);
  });

  it('CRA-04 CRB-04: are one under both forms of an id', async () => {
    const [short, whole] = [account('001B0000006Vm9r'), account('001B0000006Vm9rIAC')];
    const ingot_id = await putFile(crm, short);
    expect(await idsOf(crm, whole)).toEqual([ingot_id]);
    const vat = await unseal(crm, whole);
    expect(await crm.request('download', { ...whole, ingot_id, vat })).toMatchObject({ status: 200 });
  });

  it('CRA-06 CRB-04: accept the token of a person under both forms of their id, and not of another person', async () => {
    const record = account('001C0000006Vm9r');
    const ingot_id = await putFile(crm, record);
    const forms = ['005B0000001AbCd', '005B0000001AbCdIAK'] as const;
    for (const [given, used] of [forms, [...forms].reverse()] as const) {
      const vat = await unseal(crm, record, given);
      expect(await crm.request('download', { ...record, ingot_id, vat }, used)).toMatchObject({
        status: 200,
      });
      const claimed = { ...record, ingot_id, vat, user_id: given };
      expect(await crm.request('download', claimed, used)).toMatchObject({ status: 200 });
      const stranger = await crm.request('download', { ...record, ingot_id, vat }, '005B0000001AbCD');
      expect(stranger).toMatchObject({ status: 401 });
    }
  });

  it('ENV-29: are refused with 400 under an id whose checksum does not fit', async () => {
    for (const path of ['resolve', 'files', 'upload-context'])
      expect(await crm.request(path, account('001A0000006Vm9RIAC'))).toMatchObject(invalid);
  });
});

describe('OPEN-37: records of crma', () => {
  let crm: CrmClient;
  beforeAll(async () => {
    crm = await CrmClient.connect(tenant, 'crma');
  });
  const contact = (record_id: unknown) => ({ object_type: 'contact', record_id });

  it('CRA-04 CRA-08: are two where ids differ in case only', async () => {
    const ingot_id = await putFile(crm, contact('Ab1'));
    const other = await putFile(crm, contact('aB1'));
    expect(await idsOf(crm, contact('Ab1'))).toEqual([ingot_id]);
    expect(await idsOf(crm, contact('aB1'))).toEqual([other]);
    expect(await crm.request('files', { object_type: 'Contact', record_id: 'Ab1' })).toEqual(noFiles);
  });

  it('ENV-29: are named by text or a safe integer', async () => {
    expect(await crm.request('resolve', contact(51))).toMatchObject({ status: 200 });
    for (const id of [2 ** 53, 12.5, -1, null, true, [], {}])
      for (const path of ['resolve', 'files', 'unseal'])
        expect(await crm.request(path, contact(id))).toMatchObject(invalid);
  });
});

describe.each<{ app: CrmApp }>([{ app: 'crma' }, { app: 'crmb' }])('OPEN-37: a record of $app', ({ app }) => {
  it('CRA-04 CRB-04: gets no folder by a look at its files', async () => {
    const crm = await CrmClient.connect(await ownTenant(), app);
    const record = { object_type: 'contact', record_id: '1' };
    const vat = await unseal(crm, record);
    expect(await crm.request('files', record)).toEqual(noFiles);
    for (const path of ['download', 'delete-file'])
      expect(await crm.request(path, { ...record, ingot_id: newId('ing_'), vat })).toEqual(unknownFile);
    expect(await foldersOf(crm, vat)).toEqual([]);
  });

  it('APP-15 CRA-08 CRB-05: has none of the files of the same id in a portal or org that had the vault before', async () => {
    const before = await CrmClient.connect(await ownTenant(), app);
    const record = { object_type: 'contact', record_id: '51' };
    const ingot_id = await putFile(before, record);
    succeeded(await tenant.owner.call(deleteApp, { params: { app_id: app } }));
    const after = await CrmClient.connect(tenant, app, before.vault);
    expect(after.remoteId).not.toBe(before.remoteId);
    expect(await after.request('files', record)).toEqual(noFiles);
    const panel = await PanelClient.open(after, record);
    expect(await panel.call('files')).toEqual(noFiles);
    const vat = await panel.unseal();
    for (const path of ['download', 'delete-file', 'share'])
      expect(await panel.call(path, { ingot_id, vat })).toEqual(unknownFile);
  });

  it('AMB-21: is not opened by the delegated key of the person who installed the app', async () => {
    const crm = await CrmClient.connect(await ownTenant(), app);
    const body = {
      vmk: crm.vault.vmk,
      dvak_type: 'user',
      authorized_user_id: tenant.ownerSession.subject,
      access_level: 'read_write',
    } as const;
    const created = await tenant.owner.call(createDvak, { params: { vault_id: crm.vault.vault_id }, body });
    const { dvak_token } = succeeded(created);
    const record = { object_type: 'contact', record_id: '1' };
    for (const key of [{ dvak_token }, { vmk: dvak_token }])
      expect(await crm.request('unseal', { ...record, ...key })).toMatchObject({ status: 403 });
    const panel = await PanelClient.open(crm, record);
    expect(await panel.call('unseal', { dvak_token })).toMatchObject({ status: 403 });
  });

  /** A tenant of its own, which the other functions then use. */
  async function ownTenant(): Promise<Tenant> {
    return (tenant = await newTenant(platform));
  }
});
