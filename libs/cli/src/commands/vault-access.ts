import { ApiError, paginate, type Client } from '@vaultsvc/client';
import { isSameName } from '@vaultsvc/contracts/names';
import type { CliContext } from '../cli-context.js';
import { exitCodes } from '../exit-codes.js';
import { CliError } from '../failures.js';
import type { StoredVault } from '../storage/credential-store.js';

/** A token that expires within this time is not used for another call. */
const MARGIN_SECONDS = 30;

/** A vault and a client that sends its Vault Access Token. */
export interface OpenVault {
  readonly vaultId: string;
  readonly client: Client;
}

/** The id of a vault by its id or name, without regard to case. @throws CliError if there is none */
export async function findVault({ api, store }: CliContext, reference: string): Promise<string> {
  if (/^vlt_[\w-]+$/.test(reference)) return reference;
  const isNamed = (name = '') => isSameName(name, reference);
  const known = Object.entries(store.server(api.url).vaults ?? {}).find(([, { name }]) => isNamed(name));
  if (known) return known[0];
  for await (const { name, vault_id } of paginate(api.client(), '/v1/vaults', {
    params: { query: { limit: 500 } },
  }))
    if (isNamed(name)) return vault_id;
  throw new CliError(`There is no vault named ${reference}.`, exitCodes.gone);
}

/**
 * Uses the content of a vault: with the token of `vault open`, or with a new one if the master key is kept.
 * @throws CliError if the vault has to be opened first
 */
export async function withOpenVault<T>(
  context: CliContext,
  reference: string,
  use: (vault: OpenVault) => Promise<T>,
): Promise<T> {
  const vault = await openVault(context, reference);
  try {
    return await use(vault);
  } catch (error) {
    throw await sealedOr(error, context, reference, vault);
  }
}

/**
 * A refused token looks like a refused API key. If the key may still read the vault, it was the token: the vault was sealed,
 * or the key that opened it was revoked.
 */
async function sealedOr(
  error: unknown,
  context: CliContext,
  reference: string,
  { vaultId: vault_id }: OpenVault,
): Promise<unknown> {
  const isRefused = error instanceof ApiError && (error.status === 401 || error.reason === 'VAT_EXPIRED');
  if (!isRefused || error.code === 'UNKNOWN') return error;
  const { api, store } = context;
  const vault = await api
    .client()
    .GET('/v1/vaults/{vault_id}', { params: { path: { vault_id } } })
    .catch(() => undefined);
  if (!vault) return error;
  await store.saveVault(api.url, vault_id, { vat: undefined, vat_expires_at: undefined });
  const what =
    vault.data.status === 'sealed'
      ? 'The vault is sealed.'
      : 'Your access to the vault has ended: it was sealed, or your key of it was revoked.';
  return new CliError(`${what} Run: vaultsvc vault open ${reference}`, exitCodes.denied);
}

/**
 * A client for the content of a vault.
 * @throws CliError if the vault has to be opened first
 */
export async function openVault(context: CliContext, reference: string): Promise<OpenVault> {
  const { api, store } = context;
  const vaultId = await findVault(context, reference);
  const stored = store.server(api.url).vaults?.[vaultId] ?? {};
  const vat = validToken(stored) ?? (await tokenByStoredKey(context, vaultId, stored));
  if (vat === undefined)
    throw new CliError(`The vault is not open. Run: vaultsvc vault open ${vaultId}`, exitCodes.denied);
  return { vaultId, client: api.client().withVat(vat) };
}

function validToken({ vat, vat_expires_at = 0 }: StoredVault): string | undefined {
  return vat_expires_at > Date.now() / 1_000 + MARGIN_SECONDS ? vat : undefined;
}

async function tokenByStoredKey(context: CliContext, vaultId: string, { vmk }: StoredVault) {
  return vmk === undefined ? undefined : (await unsealVault(context, vaultId, { vmk })).vat;
}

/** Exchanges a key for a Vault Access Token, and keeps the token. */
export async function unsealVault(
  { api, store }: CliContext,
  vault_id: string,
  body: { readonly vmk?: string; readonly dvak_token?: string; readonly ttl_seconds?: number },
) {
  const options = { params: { path: { vault_id } }, body: { ttl_seconds: 3_600, ...body } };
  const { data } = await api.client().POST('/v1/vaults/{vault_id}/unseal', options);
  await store.saveVault(api.url, vault_id, { vat: data.vat, vat_expires_at: data.expires_at });
  return data;
}
