import * as vaults from '@vaultsvc/contracts/vaults';
import { succeeded } from '@vaultsvc/testing/http';
import { newIdentity } from './link-samples.js';
import type { Tenant } from './tenant.js';
import { vaultWithIngots } from './vault-samples.js';

export const newSharing = () => ({ shared: true, visibility: 'public' as const });

/** An ingot in an unsealed vault that allows file sharing. */
export async function vaultWithSharing(tenant: Tenant) {
  const { params, ...open } = await vaultWithIngots(tenant);
  const { vault_id } = params;
  const change = { params: { vault_id }, body: { public_file_sharing: true } };
  succeeded(await tenant.owner.call(vaults.updateVault, change));
  return { params, ...open };
}

/** A shared ingot with an invitation. */
export async function sharedWithInvite(tenant: Tenant) {
  const { params, ...open } = await vaultWithSharing(tenant);
  const share = {
    params,
    body: { shared: true, visibility: 'invite_only' as const, invites: [newIdentity()] },
  };
  const { invites } = succeeded(await tenant.owner.call(vaults.updateSharing, share, open.headers));
  return { params: { ...params, invite_id: invites[0]?.invite_id as string }, ...open };
}

/** A one-time link to an ingot. */
export async function newOneTimeLink(tenant: Tenant) {
  const { params, ...open } = await vaultWithIngots(tenant);
  const link = { params, body: { expires_in_seconds: 300 } };
  const { link_code } = succeeded(await tenant.owner.call(vaults.createIngotLink, link, open.headers));
  return { params: { ...params, code: link_code }, ...open };
}

/** The code of a durable share that any visitor may open. */
export async function sharedFileCode(tenant: Tenant) {
  const { params, ...open } = await vaultWithSharing(tenant);
  const share = { params, body: newSharing() };
  const { link_url } = succeeded(await tenant.owner.call(vaults.updateSharing, share, open.headers));
  return { code: new URL(link_url as string).pathname.slice(1) };
}
