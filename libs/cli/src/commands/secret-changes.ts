import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@vaultsvc/client';
import { ingotReference } from './download-command.js';
import type { OpenVault } from './vault-access.js';

const ATTEMPTS = 5;
const RETRY_MS_MAX = 500;

/** Values to set, and keys to delete. */
export interface SetChange {
  readonly set?: Record<string, unknown>;
  readonly delete?: string[];
}

/** Changes a set by one call, or creates it if it does not exist. */
export async function changeSet(vault: OpenVault, name: string, change: SetChange, mayCreate: boolean) {
  try {
    return await update(vault, name, change);
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404;
    if (!isUnknown || !mayCreate || name.startsWith('ing_')) throw error;
    const body = { name: name.replace(/^:/, ''), data: change.set ?? {} };
    const params = { path: { vault_id: vault.vaultId } };
    return (await vault.client.POST('/v1/products/structured-ingots/{vault_id}', { params, body })).data;
  }
}

/** Of two concurrent changes one is refused with 412. The values do not depend on earlier ones, so it is repeated. */
async function update({ client, vaultId: vault_id }: OpenVault, name: string, body: SetChange) {
  const params = { path: { vault_id, ingot_id: ingotReference(name) } };
  for (let attempt = 1; ; attempt++) {
    try {
      return (await client.PATCH('/v1/products/structured-ingots/{vault_id}/{ingot_id}', { params, body }))
        .data;
    } catch (error) {
      const isOvertaken = error instanceof ApiError && error.status === 412;
      if (!isOvertaken || attempt >= ATTEMPTS) throw error;
      await delay(Math.random() * RETRY_MS_MAX);
    }
  }
}
