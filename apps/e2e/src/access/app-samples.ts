import * as integrations from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import type { Tenant } from './tenant.js';
import { vault } from './vault-samples.js';

/** An authorization code that the emulated providers accept, of a workspace that no other account has. */
const newCode = () => ({
  code: `local-ok-${newId('code_')}`,
  redirect_uri: 'https://app.example.com/callback',
});

/** The integration, not installed. */
export async function uninstalledApp({ owner }: Tenant, app_id: integrations.AppId) {
  const { installed } = succeeded(await owner.call(integrations.readApp, { params: { app_id } }));
  if (installed) succeeded(await owner.call(integrations.deleteApp, { params: { app_id } }));
  return { app_id };
}

/** The body that installs an integration. */
export const newInstallation = () => ({ settings: { color: 'red' } });

/** The integration, installed. */
export async function installedApp(tenant: Tenant, app_id: integrations.AppId) {
  const params = await uninstalledApp(tenant, app_id);
  succeeded(await tenant.owner.call(integrations.installApp, { params, body: newInstallation() }));
  return params;
}

/** The body that connects the chat app. */
export async function newChatConnection(tenant: Tenant) {
  await uninstalledApp(tenant, 'chatapp');
  return newCode();
}

/** The body that connects a CRM app. */
export async function newCrmConnection(tenant: Tenant, app_id: 'crma' | 'crmb') {
  await uninstalledApp(tenant, app_id);
  return { ...newCode(), ...(await vault(tenant)) };
}

/** No input: the path names the integration, which is installed. */
export async function installedOnly(tenant: Tenant, app_id: integrations.AppId) {
  await installedApp(tenant, app_id);
  return {};
}

/** A record of a CRM; without the provider's signature every call is refused. */
export const crmRecord = { object_type: 'contact', record_id: '1', user_id: '2' };

/** Input of a panel; without its bearer every call is refused. */
export const crmApp = { app_id: 'crma' as const };
export const panelFile = { ingot_id: ':a.txt', vat: 'x' };
export const newPanelFile = { name: 'a.txt', size_bytes: 1, content_type: 'text/plain', vat: 'x' };
