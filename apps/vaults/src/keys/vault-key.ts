import { randomBytes } from 'node:crypto';
import { unwrapKey, wrapKey } from '@vaultsvc/crypto/wrap';

/** Whose vault key it is. Both ids go into every derivation: a wrap that moves to another vault does not open. */
export interface VaultIdentity {
  readonly accountId: string;
  readonly vaultId: string;
}

/** A new vault key. The caller fills it with 0 when done. */
export function newVaultKey(): Buffer {
  return randomBytes(32);
}

/** The vault key under the master key. */
export function wrapByVmk(vmk: Buffer, vault: VaultIdentity, vaultKey: Buffer): Buffer {
  return wrapKey(vmk, 'vk/v1/vault-key/vmk', idsOf(vault), [], vaultKey);
}

/** Opens the wrap of the master key. Throws `WrongKey` for every other key. */
export function unwrapByVmk(vmk: Buffer, vault: VaultIdentity, wrapped: Buffer): Buffer {
  return unwrapKey(vmk, 'vk/v1/vault-key/vmk', idsOf(vault), [], wrapped);
}

function idsOf({ accountId, vaultId }: VaultIdentity): readonly string[] {
  return [accountId, vaultId];
}
