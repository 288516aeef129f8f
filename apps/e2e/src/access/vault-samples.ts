import * as vaults from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import type { Tenant } from './tenant.js';
import { uploadContent } from './upload-content.js';

export const newVault = () => ({ name: newId('vault_') });

export const vault = async ({ owner }: Tenant) => {
  const { vault_id } = succeeded(await owner.call(vaults.createVault, { body: newVault() }));
  return { vault_id };
};

export const vaultAndKey = async ({ owner }: Tenant) => {
  const { vault_id, vmk } = succeeded(await owner.call(vaults.createVault, { body: newVault() }));
  return { params: { vault_id }, vmk };
};

export const newDvak = (vmk: string) => ({
  vmk,
  dvak_type: 'nhi' as const,
  nhi_description: 'sample',
  access_level: 'read' as const,
});

/** A vault with two delegated keys, so that its list has two pages. */
export const vaultWithDvaks = async (tenant: Tenant) => {
  const { params, vmk } = await vaultAndKey(tenant);
  const create = () => tenant.owner.call(vaults.createDvak, { params, body: newDvak(vmk) });
  const [{ last_4_chars: last4 }] = [succeeded(await create()), succeeded(await create())];
  return { vault_id: params.vault_id, last4 };
};

/** An unsealed vault, with a read-write token and a function that mints a read-only one. */
export const openVault = async (tenant: Tenant) => {
  const { params, vmk } = await vaultAndKey(tenant);
  const headersBy = async (body: { vmk: string } | { dvak_token: string }) => {
    const unsealing = { ...body, ttl_seconds: 3_600 };
    const { vat } = succeeded(await tenant.owner.call(vaults.unsealVault, { params, body: unsealing }));
    return { 'X-Vault-Access-Token': vat };
  };
  const readerHeaders = async () => {
    const { dvak_token } = succeeded(
      await tenant.owner.call(vaults.createDvak, { params, body: newDvak(vmk) }),
    );
    return headersBy({ dvak_token });
  };
  return { params, headers: await headersBy({ vmk }), readerHeaders };
};

/** A folder in an unsealed vault, and a second one, so that a list has two pages. */
export const vaultWithFolders = async (tenant: Tenant) => {
  const { params, ...open } = await openVault(tenant);
  const make = () =>
    tenant.owner.call(vaults.createFolder, { params, body: newFolder() }, open.headers).then(succeeded);
  const [{ folder_id }] = [await make(), await make()];
  return { params: { ...params, folder_id }, ...open };
};

export const newFolder = () => ({ name: newId('folder_') });

/** The content of every sample. */
const CONTENT = Buffer.from('content of the file');

export const newIngot = () => ({
  name: `${newId('file_')}.txt`,
  size_bytes: CONTENT.length,
  content_type: 'text/plain',
});

/** An ingot with content in an unsealed vault, and a second one, so that a search has two pages. */
export const vaultWithIngots = async (tenant: Tenant) => {
  const { params, ...open } = await openVault(tenant);
  const make = async () => {
    const opening = { params, body: newIngot() };
    return uploadContent(await tenant.owner.call(vaults.createIngot, opening, open.headers), CONTENT);
  };
  const [{ ingot_id }] = [await make(), await make()];
  return { params: { ...params, ingot_id }, ...open };
};

/** The key of every sample of a structured ingot. */
export const SAMPLE_KEY = 'token';

export const newStructured = () => ({
  name: newId('config_'),
  data: { [SAMPLE_KEY]: 'value of the key', port: 5_432 },
});

/** A structured ingot in an unsealed vault. */
export const vaultWithStructured = async (tenant: Tenant) => {
  const { params, ...open } = await openVault(tenant);
  const { ingot_id } = succeeded(
    await tenant.owner.call(vaults.createStructured, { params, body: newStructured() }, open.headers),
  );
  return { params: { ...params, ingot_id }, ...open };
};
