import * as vaults from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import type { Change } from './change.js';
import type { ChangingAccount } from './changing-account.js';

/** Changes of vaults, their keys and their folders. */
export const vaultChanges: readonly Change[] = [
  { weight: 3, make: createVault },
  { weight: 2, make: updateVault },
  { weight: 1, make: sealVault },
  { weight: 1, make: deleteVault },
  { weight: 2, make: createDvak },
  { weight: 2, make: useDvak },
  { weight: 1, make: revokeDvak },
  { weight: 2, make: createFolder },
  { weight: 1, make: renameFolder },
  { weight: 1, make: deleteFolder },
];

/** Creates a vault, allows file sharing in it and unseals it. */
async function createVault(account: ChangingAccount): Promise<void> {
  const body = { name: newId('vault_') };
  const created = await account.change(vaults.vaultCreated, vaults.createVault, { body });
  if (!created?.data) return;
  const { vault_id, vmk } = created.data;
  const params = { vault_id };
  const sharing = { params, body: { public_file_sharing: true } };
  await account.change(vaults.vaultUpdated, vaults.updateVault, sharing);
  await unsealVault(account, vault_id, vmk);
}

async function unsealVault(account: ChangingAccount, vaultId: string, vmk: string): Promise<void> {
  const input = { params: { vault_id: vaultId }, body: { vmk, ttl_seconds: 86_400 } };
  const unsealed = await account.change(vaults.vaultUnsealed, vaults.unsealVault, input);
  if (!unsealed?.data) return;
  account.vaults.add({ vaultId, vmk, token: { 'X-Vault-Access-Token': unsealed.data.vat } });
}

async function updateVault(account: ChangingAccount): Promise<void> {
  const vault = account.vaults.pick();
  if (!vault) return;
  const input = { params: { vault_id: vault.vaultId }, body: { description: newId('text_') } };
  await account.change(vaults.vaultUpdated, vaults.updateVault, input);
}

/** Seals a vault and unseals it again. Changes in it meanwhile are refused. */
async function sealVault(account: ChangingAccount): Promise<void> {
  const vault = account.vaults.take();
  if (!vault) return;
  await account.change(vaults.vaultSealed, vaults.sealVault, { params: { vault_id: vault.vaultId } });
  await unsealVault(account, vault.vaultId, vault.vmk);
}

async function deleteVault(account: ChangingAccount): Promise<void> {
  const vault = account.vaults.take();
  if (!vault) return;
  await account.change(vaults.vaultDeleted, vaults.deleteVault, { params: { vault_id: vault.vaultId } });
}

async function createDvak(account: ChangingAccount): Promise<void> {
  const vault = account.vaults.pick();
  if (!vault) return;
  const { vaultId: vault_id, vmk } = vault;
  const body = { vmk, dvak_type: 'nhi', nhi_description: 'race', access_level: 'read' } as const;
  const input = { params: { vault_id }, body };
  const created = await account.change(vaults.dvakCreated, vaults.createDvak, input);
  if (!created?.data) return;
  const { last_4_chars: id, dvak_token: dvakToken } = created.data;
  account.dvaks.add({ vault, id, dvakToken });
}

async function useDvak(account: ChangingAccount): Promise<void> {
  const dvak = account.dvaks.pick();
  if (!dvak) return;
  const body = { dvak_token: dvak.dvakToken, ttl_seconds: 60 };
  const input = { params: { vault_id: dvak.vault.vaultId }, body };
  await account.change(vaults.dvakUsed, vaults.unsealVault, input);
}

async function revokeDvak(account: ChangingAccount): Promise<void> {
  const dvak = account.dvaks.take();
  if (!dvak) return;
  const params = { vault_id: dvak.vault.vaultId, last4: dvak.id };
  await account.change(vaults.dvakRevoked, vaults.revokeDvak, { params });
}

async function createFolder(account: ChangingAccount): Promise<void> {
  const vault = account.vaults.pick();
  if (!vault) return;
  const input = { params: { vault_id: vault.vaultId }, body: { name: newId('folder_') } };
  const created = await account.change(vaults.folderCreated, vaults.createFolder, input, vault.token);
  if (created?.data) account.folders.add({ vault, id: created.data.folder_id });
}

async function renameFolder(account: ChangingAccount): Promise<void> {
  const folder = account.folders.pick();
  if (!folder) return;
  const { vault, id: folder_id } = folder;
  const input = { params: { vault_id: vault.vaultId, folder_id }, body: { name: newId('folder_') } };
  await account.change(vaults.folderChanged, vaults.updateFolder, input, vault.token);
}

async function deleteFolder(account: ChangingAccount): Promise<void> {
  const folder = account.folders.take();
  if (!folder) return;
  const { vault, id: folder_id } = folder;
  const params = { vault_id: vault.vaultId, folder_id };
  await account.change(vaults.folderDeleted, vaults.deleteFolder, { params }, vault.token);
}
