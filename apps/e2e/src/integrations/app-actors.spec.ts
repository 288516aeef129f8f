import { describe, expect, it } from '@jest/globals';
import { listAccountAudit, listVaultAudit, type AuditEntry } from '@vaultsvc/contracts/reporting';
import { createIngot } from '@vaultsvc/contracts/vaults';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { uploadContent } from '../access/upload-content.js';
import { CrmClient, type CrmApp } from './crm-client.js';

const platform = usePlatform();

/** A person of the CRM deletes the file of a new record: the entries of the vault, which has no other file. */
async function deleteFile(tenant: Tenant, crm: CrmClient, record_id: string, person: string) {
  const record = { object_type: 'contact', record_id };
  const { vat } = (await crm.request('unseal', { ...record, vmk: crm.vault.vmk }, person)).data;
  const { folder_id } = (await crm.request('resolve', record, person)).data;
  const ofVault = { params: { vault_id: crm.vault.vault_id } };
  const withToken = { 'X-Vault-Access-Token': vat as string };
  const body = { name: 'File', size_bytes: 5, content_type: 'text/plain', folder_id: folder_id as string };
  const opened = await tenant.key.call(createIngot, { ...ofVault, body }, withToken);
  const { ingot_id } = await uploadContent(opened, Buffer.from('hello'));
  expect(await crm.request('delete-file', { ...record, ingot_id, vat }, person)).toMatchObject({
    status: 200,
  });
  const list = () => tenant.owner.call(listVaultAudit, { ...ofVault, query: { limit: 100 } }, withToken);
  return entriesWith(async () => succeeded(await list()), ['ingot_created', 'ingot_deleted']);
}

const ofType = (entries: readonly AuditEntry[], type: string) =>
  entries.find(({ event_type }) => event_type === type);

/** The entries of a log once it has one of each of these types. */
async function entriesWith(
  read: () => Promise<{ entries: readonly AuditEntry[] }>,
  types: readonly string[],
) {
  const page = await eventually(read, ({ entries }) => types.every((type) => ofType(entries, type)));
  return page.entries;
}

describe('OPEN-28: what a person of a provider does through an integration that an admin has installed', () => {
  it.each<[CrmApp, string, string, string]>([
    ['crma', 'portal', '51', '4242'],
    ['crmb', 'org', '0035g00000ABCDEAA5', '0055g00000ABCDEAA5'],
  ])('%s: is in the audit log as the act of the person of its %s', async (app, place, recordId, person) => {
    const tenant = await newTenant(platform);
    const crm = await CrmClient.connect(tenant, app);
    const entries = await deleteFile(tenant, crm, recordId, person);
    const actor = { kind: 'app', id: app, app, [place]: crm.remoteId, person };
    expect(ofType(entries, 'ingot_deleted')).toMatchObject({
      actor_type: null,
      actor_display: null,
      details: { actor },
    });
    expect(ofType(entries, 'ingot_created')).toMatchObject({
      actor_type: 'api_key',
      details: { actor: { kind: 'api_key', id: expect.stringMatching(/^key_/) } },
    });
    const account = async () =>
      succeeded(await tenant.owner.call(listAccountAudit, { query: { limit: 100 } }));
    const ofAccount = await entriesWith(account, ['vault_unsealed']);
    expect(ofType(ofAccount, 'vault_unsealed')).toMatchObject({ actor_type: null, details: { actor } });
  });
});
