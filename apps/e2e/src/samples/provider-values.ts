import type { PublicOperation } from '@vaultsvc/contracts';
import { connectChatapp } from '@vaultsvc/contracts/integrations';
import { createIngot, unsealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import { newChatConnection } from '../access/app-samples.js';
import type { Tenant } from '../access/tenant.js';
import { uploadContent } from '../access/upload-content.js';
import { CrmClient, type CrmApp } from '../integrations/crm-client.js';

const USER = '101';

export interface ProviderValues {
  readonly values: [string, string][];
  readonly variables: Readonly<Record<string, string>>;
}

/** Real values for the samples of operations that a provider calls: printed ones and their replacements, and variables. */
export async function providerValues(
  { name, http }: PublicOperation,
  tenant: Tenant,
  printed: { readonly vmk: string; readonly vat: string; readonly ingot_id: string },
): Promise<ProviderValues> {
  const [, app] = /^\/v1\/apps\/(\w+)\//.exec(http.path) ?? [];
  if (app === 'chatapp') return { values: [['T1DC2JH3J', await chatTeam(tenant)]], variables: {} };
  // The portal of the printed webhook is unknown; its event would uninstall a known one.
  if ((app !== 'crma' && app !== 'crmb') || name === 'integrations.receive-crma-events')
    return { values: [], variables: {} };
  return crmValues(tenant, app, printed);
}

async function chatTeam(tenant: Tenant): Promise<string> {
  const body = await newChatConnection(tenant);
  return succeeded(await tenant.owner.call(connectChatapp, { body })).team_id;
}

/** A portal or org with one file at the printed record. */
async function crmValues(
  tenant: Tenant,
  app: CrmApp,
  printed: { readonly vmk: string; readonly vat: string; readonly ingot_id: string },
): Promise<ProviderValues> {
  const crm = await CrmClient.connect(tenant, app);
  const record = { object_type: 'contact', record_id: '12345' };
  const { vat } = (await crm.request('unseal', { ...record, vmk: crm.vault.vmk }, USER)).data;
  const { folder_id } = (await crm.request('resolve', record, USER)).data;
  const values: [string, string][] = [
    [app === 'crma' ? '62515000' : '00D5g000004ABCD', crm.remoteId],
    [printed.vmk, crm.vault.vmk],
    [printed.vat, vat as string],
    [printed.ingot_id, await upload(tenant, crm, folder_id as string)],
  ];
  return { values, variables: app === 'crmb' ? { CRMB_SESSION_SECRET: crm.sessionSecret } : {} };
}

async function upload({ owner }: Tenant, { vault }: CrmClient, folder_id: string): Promise<string> {
  const { vault_id, vmk } = vault;
  const params = { vault_id };
  const { vat } = succeeded(await owner.call(unsealVault, { params, body: { vmk, ttl_seconds: 60 } }));
  const content = Buffer.from('content of the file');
  const body = {
    name: `${newId('file_')}.txt`,
    size_bytes: content.length,
    content_type: 'text/plain',
    folder_id,
  };
  const opened = await owner.call(createIngot, { params, body }, { 'X-Vault-Access-Token': vat });
  return (await uploadContent(opened, content)).ingot_id;
}
