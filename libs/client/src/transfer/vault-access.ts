import type { Client } from '../client.js';

/** An unsealed vault: its id, and a client that sends a Vault Access Token for it. */
export interface VaultAccess {
  readonly vaultId: string;
  readonly client: Client;
  /** When the token expires, in seconds since the epoch. */
  readonly expiresAt?: number;
}

/** The settings of `unseal`: one of the two keys. */
export interface UnsealOptions {
  /** The vault's master key. */
  readonly vmk?: string;
  /** A delegated key (DVAK). */
  readonly dvak?: string;
  readonly ttlSeconds?: number;
  readonly signal?: AbortSignal;
}

/** Unseals a vault. */
export async function unseal(
  client: Client,
  vaultId: string,
  { vmk, dvak, ttlSeconds, signal }: UnsealOptions,
): Promise<VaultAccess> {
  const { data } = await client.POST('/v1/vaults/{vault_id}/unseal', {
    params: { path: { vault_id: vaultId } },
    body: { vmk, dvak_token: dvak, ttl_seconds: ttlSeconds },
    isRepeatable: true,
    signal,
  });
  return { vaultId, client: client.withVat(data.vat), expiresAt: data.expires_at };
}
