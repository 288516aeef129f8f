import { beforeAll, describe, expect, it } from '@jest/globals';
import { deleteApp } from '@vaultsvc/contracts/integrations';
import { openLink } from '@vaultsvc/contracts/sparks';
import { createDvak, readIngot, sealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { CrmClient, type CrmApp } from './crm-client.js';
import { PanelClient } from './panel-client.js';

const platform = usePlatform();
const refused = { status: 401, code: 'AUTHENTICATION_ERROR' };

describe.each<{ app: CrmApp; other: CrmApp }>([
  { app: 'crma', other: 'crmb' },
  { app: 'crmb', other: 'crma' },
])('OPEN-66: the panel of a record of $app', ({ app, other }) => {
  let tenant: Tenant;
  let crm: CrmClient;
  beforeAll(async () => {
    tenant = await newTenant(platform);
    crm = await CrmClient.connect(tenant, app);
  });
  const newRecord = () => ({ object_type: 'contact', record_id: newId('r_') });

  it('opens once: of twenty who have its URL at the same time, for one', async () => {
    const record = newRecord();
    const ticket = await PanelClient.ticket(crm, record);
    const answers = await Promise.all(Array.from({ length: 20 }, () => PanelClient.trade(crm, ticket)));
    const opened = answers.filter(({ status }) => status === 200);
    expect(opened).toHaveLength(1);
    const { expires_at, ...data } = (opened[0] as { data: { expires_at: number } }).data;
    expect(data).toEqual({ token: expect.any(String), ...record });
    expect(Math.abs(expires_at - Date.now() / 1_000 - 900)).toBeLessThan(30);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
    expect(await PanelClient.trade(crm, ticket)).toEqual(refused);
  });

  it('CRA-07 CRA-09: uploads, lists, downloads, replaces and deletes a file', async () => {
    const panel = await PanelClient.open(crm, newRecord());
    expect((await panel.call('files')).data).toEqual({ files: [], count: 0 });
    const vat = await panel.unseal();
    const ingot_id = await panel.upload(vat, 'report.txt', 'first');
    expect((await panel.call('files')).data).toMatchObject({
      count: 1,
      files: [{ ingot_id, name: 'report.txt', size_bytes: 5, content_type: 'text/plain' }],
    });
    const content = async () => {
      const { data } = await panel.call('download', { ingot_id, vat });
      return (await fetch(data.download_url as string)).text();
    };
    expect(await content()).toBe('first');
    expect(await panel.upload(vat, 'REPORT.txt', 'second')).toBe(ingot_id);
    expect(await content()).toBe('second');
    const deleted = { status: 200, data: { deleted: true, ingot_id } };
    expect(await panel.call('delete-file', { ingot_id, vat })).toEqual(deleted);
    expect((await panel.call('files')).data.count).toBe(0);
  });

  it('SHR-16: shares a file with somebody outside by a link that opens once', async () => {
    const panel = await PanelClient.open(crm, newRecord());
    const vat = await panel.unseal();
    const ingot_id = await panel.upload(vat, 'offer.txt', 'the offer');
    const { status, data } = await panel.call('share', { ingot_id, vat, expires_in_seconds: 600 });
    expect(status).toBe(201);
    expect(Math.abs((data.expires_at as number) - Date.now() / 1_000 - 600)).toBeLessThan(30);
    const params = { link_code: data.link_code as string };
    const open = () =>
      api(platform.linkUrl).call(openLink, { params, body: { confirmed: true, describe: false } });
    const { download_url = '' } = succeeded(await open());
    expect(await (await fetch(download_url)).text()).toBe('the offer');
    expect((await open()).status).toBe(403);
  });

  it('CRA-06: opens the vault with one key, and reads alone with a delegated key that may only read', async () => {
    const panel = await PanelClient.open(crm, newRecord());
    const vat = await panel.unseal();
    const ingot_id = await panel.upload(vat, 'a.txt', 'a');
    const params = { vault_id: crm.vault.vault_id };
    const body = {
      vmk: crm.vault.vmk,
      dvak_type: 'nhi',
      nhi_description: 'CRM',
      access_level: 'read',
    } as const;
    const { dvak_token } = succeeded(await tenant.owner.call(createDvak, { params, body }));
    const reader = (await panel.call('unseal', { dvak_token })).data.vat as string;
    expect(await panel.call('download', { ingot_id, vat: reader })).toMatchObject({ status: 200 });
    for (const path of ['delete-file', 'share'])
      expect(await panel.call(path, { ingot_id, vat: reader })).toMatchObject({ status: 403 });
    const file = { vat: reader, name: 'b.txt', size_bytes: 1 };
    expect(await panel.call('upload', file)).toMatchObject({ status: 403 });
    for (const keys of [{}, { vmk: 'x', dvak_token: 'y' }])
      expect(await panel.call('unseal', keys)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('CRA-06: accepts a Vault Access Token of its person alone, whichever panel of theirs it is of', async () => {
    const record = newRecord();
    const [mine, also, theirs] = await Promise.all([
      PanelClient.open(crm, record, '101'),
      PanelClient.open(crm, record, '101'),
      PanelClient.open(crm, record, '202'),
    ]);
    const vat = await mine.unseal();
    const ingot_id = await mine.upload(vat, 'a.txt', 'a');
    expect(await also.call('download', { ingot_id, vat })).toMatchObject({ status: 200 });
    for (const path of ['download', 'delete-file', 'share'])
      expect(await theirs.call(path, { ingot_id, vat })).toEqual(refused);
    const file = { vat, name: 'b.txt', size_bytes: 1 };
    expect(await theirs.call('upload', file)).toEqual(refused);
  });

  it('is of one CRM: neither ticket nor bearer opens the panel of the other', async () => {
    const elsewhere = await CrmClient.connect(tenant, other);
    const ticket = await PanelClient.ticket(crm, newRecord());
    expect(await PanelClient.trade(elsewhere, ticket)).toEqual(refused);
    const { data } = await PanelClient.trade(crm, ticket);
    const foreign = await PanelClient.open(elsewhere, newRecord());
    expect(await foreign.call('files', {}, data.token as string)).toEqual(refused);
  });

  it('is opened by no credential of the API, and is none for the API or the signed routes', async () => {
    const panel = await PanelClient.open(crm, newRecord());
    for (const bearer of ['', 'x', tenant.ownerSession.token, tenant.apiKey, 'A'.repeat(43)])
      expect(await panel.call('files', {}, bearer)).toEqual(refused);
    const { data } = await PanelClient.trade(crm, await PanelClient.ticket(crm, newRecord()));
    const headers = { Authorization: `Bearer ${data.token as string}` };
    expect(await crm.send('files', newRecord(), { query: '', headers })).toEqual(refused);
    const response = await fetch(`${platform.url}/v1/vaults`, { headers });
    expect(response.status).toBe(401);
  });

  it('ENV-29: answers a body that does not fit with 400, and an unknown file with 404', async () => {
    const panel = await PanelClient.open(crm, newRecord());
    const vat = await panel.unseal();
    for (const file of [{}, { name: '', size_bytes: 1 }, { name: 'a', size_bytes: 0 }, { name: 'a' }])
      expect(await panel.call('upload', { vat, ...file })).toMatchObject({ status: 400 });
    for (const path of ['download', 'delete-file', 'share']) {
      expect(await panel.call(path, { vat })).toMatchObject({ status: 400 });
      expect(await panel.call(path, { ingot_id: newId('ing_'), vat })).toMatchObject({ status: 404 });
    }
    expect(await PanelClient.trade(crm, '')).toEqual(refused);
  });

  it('CRA-06: needs the key again when the vault is sealed', async () => {
    const panel = await PanelClient.open(crm, newRecord());
    const vat = await panel.unseal();
    const ingot_id = await panel.upload(vat, 'a.txt', 'a');
    await tenant.owner.call(sealVault, { params: { vault_id: crm.vault.vault_id } });
    expect(await panel.call('download', { ingot_id, vat })).toEqual(refused);
    expect(await panel.call('download', { ingot_id, vat: await panel.unseal() })).toMatchObject({
      status: 200,
    });
  });

  it('APP-15 APP-25: ends with its installation, and its files stay with the account', async () => {
    const own = await newTenant(platform);
    const leaving = await CrmClient.connect(own, app);
    const panel = await PanelClient.open(leaving, newRecord());
    const ingot_id = await panel.upload(await panel.unseal(), 'a.txt', 'a');
    const unused = await PanelClient.ticket(leaving, newRecord());
    succeeded(await own.owner.call(deleteApp, { params: { app_id: app } }));
    const again = await CrmClient.connect(own, app, leaving.vault);
    expect(await panel.call('files')).toEqual(refused);
    expect(await PanelClient.trade(leaving, unused)).toEqual(refused);
    const vat = await (await PanelClient.open(again, newRecord())).unseal();
    const params = { vault_id: leaving.vault.vault_id, ingot_id };
    const read = await own.owner.call(readIngot, { params }, { 'X-Vault-Access-Token': vat });
    expect(succeeded(read).name).toBe('a.txt');
  });
});
