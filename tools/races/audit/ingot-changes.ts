import * as sparks from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import type { Change } from './change.js';
import type { ChangingAccount, Placed } from './changing-account.js';
import { download, upload } from './small-transfers.js';

/** Changes of files, of their sharing, and of structured ingots. */
export const ingotChanges: readonly Change[] = [
  { weight: 4, make: createIngot },
  { weight: 1, make: replaceIngot },
  { weight: 1, make: renameIngot },
  { weight: 3, make: downloadIngot },
  { weight: 1, make: deleteIngot },
  { weight: 1, make: enableSharing },
  { weight: 1, make: changeSharing },
  { weight: 1, make: disableSharing },
  { weight: 1, make: createLink },
  { weight: 3, make: createStructured },
  { weight: 1, make: overwriteStructured },
  { weight: 2, make: updateStructured },
  { weight: 2, make: retrieveStructured },
  { weight: 1, make: deleteStructured },
];

const pathOf = ({ vault, id }: Placed) => ({ vault_id: vault.vaultId, ingot_id: id });

async function createIngot(account: ChangingAccount): Promise<void> {
  const vault = account.vaults.pick();
  if (!vault) return;
  const size_bytes = 1 + Math.floor(account.around.random() * 20_000);
  const body = { name: newId('file_'), size_bytes, content_type: 'text/plain' };
  const input = { params: { vault_id: vault.vaultId }, body };
  const created = await account.change(vaults.ingotCreated, vaults.createIngot, input, vault.token);
  if (!created?.data) return;
  if (await upload(created.data.forge_url, size_bytes))
    account.ingots.add({ vault, id: created.data.ingot_id });
}

async function replaceIngot(account: ChangingAccount): Promise<void> {
  const ingot = account.ingots.pick();
  if (!ingot) return;
  const size_bytes = 1 + Math.floor(account.around.random() * 20_000);
  const input = { params: pathOf(ingot), body: { size_bytes } };
  const replaced = await account.change(vaults.ingotReplaced, vaults.replaceIngot, input, ingot.vault.token);
  if (replaced?.data) await upload(replaced.data.forge_url, size_bytes);
}

async function renameIngot(account: ChangingAccount): Promise<void> {
  const ingot = account.ingots.pick();
  if (!ingot) return;
  const input = { params: pathOf(ingot), body: { name: newId('file_') } };
  await account.change(vaults.ingotUpdated, vaults.updateIngot, input, ingot.vault.token);
}

async function downloadIngot(account: ChangingAccount): Promise<void> {
  const ingot = account.ingots.pick();
  if (!ingot) return;
  const input = { params: pathOf(ingot), body: { stream: false } };
  const issued = await account.change(vaults.ingotDownloaded, vaults.downloadIngot, input, ingot.vault.token);
  if (issued?.data) await download(issued.data.download_url);
}

async function deleteIngot(account: ChangingAccount): Promise<void> {
  const ingot = account.ingots.take();
  if (!ingot) return;
  await account.change(vaults.ingotDeleted, vaults.deleteIngot, { params: pathOf(ingot) }, ingot.vault.token);
}

async function enableSharing(account: ChangingAccount): Promise<void> {
  const ingot = account.ingots.take();
  if (!ingot) return;
  const input = { params: pathOf(ingot), body: { shared: true, visibility: 'public' } as const };
  const shared = await account.change(vaults.sharingEnabled, vaults.updateSharing, input, ingot.vault.token);
  if (shared) account.shared.add(ingot);
}

async function changeSharing(account: ChangingAccount): Promise<void> {
  const ingot = account.shared.take();
  if (!ingot) return;
  const identity = `${newId('guest_').toLowerCase()}@race.example`;
  const body = { shared: true, visibility: 'invite_only' as const, invites: [identity] };
  const input = { params: pathOf(ingot), body };
  const { token } = ingot.vault;
  const changed = await account.change(sparks.sparklinkUpdated, vaults.updateSharing, input, token);
  if (changed) account.shared.add(ingot);
}

async function disableSharing(account: ChangingAccount): Promise<void> {
  const ingot = account.shared.take();
  if (!ingot) return;
  const input = { params: pathOf(ingot), body: { shared: false } };
  const { token } = ingot.vault;
  const disabled = await account.change(vaults.sharingDisabled, vaults.updateSharing, input, token);
  if (disabled) account.ingots.add(ingot);
}

async function createLink(account: ChangingAccount): Promise<void> {
  const ingot = account.ingots.pick();
  if (!ingot) return;
  const input = { params: pathOf(ingot), body: { expires_in_seconds: 300 } };
  await account.change(sparks.sparklinkCreated, vaults.createIngotLink, input, ingot.vault.token);
}

async function createStructured(account: ChangingAccount): Promise<void> {
  const vault = account.vaults.pick();
  if (!vault) return;
  const body = { name: newId('config_'), data: { token: newId('value_'), port: 5_432 } };
  const input = { params: { vault_id: vault.vaultId }, body };
  const created = await account.change(vaults.structuredCreated, vaults.createStructured, input, vault.token);
  if (created?.data) account.structured.add({ vault, id: created.data.ingot_id, name: body.name });
}

async function overwriteStructured(account: ChangingAccount): Promise<void> {
  const ingot = account.structured.take();
  if (!ingot) return;
  const body = { name: ingot.name, data: { token: newId('longer_value_') } };
  const input = { params: { vault_id: ingot.vault.vaultId }, body };
  const { token } = ingot.vault;
  const written = await account.change(vaults.structuredOverwritten, vaults.createStructured, input, token);
  if (written) account.structured.add(ingot);
}

async function updateStructured(account: ChangingAccount): Promise<void> {
  const ingot = account.structured.pick();
  if (!ingot) return;
  const input = { params: pathOf(ingot), body: { set: { token: newId('value_') }, delete: ['port'] } };
  await account.change(vaults.structuredUpdated, vaults.updateStructured, input, ingot.vault.token);
}

async function retrieveStructured(account: ChangingAccount): Promise<void> {
  const ingot = account.structured.pick();
  if (!ingot) return;
  const input = { params: pathOf(ingot), query: { keys: 'token', ttl: 600 } };
  await account.change(vaults.structuredRetrieved, vaults.readStructured, input, ingot.vault.token);
}

async function deleteStructured(account: ChangingAccount): Promise<void> {
  const ingot = account.structured.take();
  if (!ingot) return;
  const input = { params: pathOf(ingot) };
  await account.change(vaults.structuredDeleted, vaults.deleteStructured, input, ingot.vault.token);
}
