import { createVault, unsealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type Api } from '@vaultsvc/testing/http';

/** A vault of its own for a journey, and the header that opens it. */
export interface OpenVault {
  readonly vault_id: string;
  readonly token: Record<string, string>;
}

export async function openNewVault(client: Api): Promise<OpenVault> {
  const made = await client.call(createVault, { body: { name: newId('vault_') } });
  const { vault_id, vmk } = succeeded(made);
  const input = { params: { vault_id }, body: { vmk, ttl_seconds: 3_600 } };
  const { vat } = succeeded(await client.call(unsealVault, input));
  return { vault_id, token: { 'X-Vault-Access-Token': vat } };
}
