import { unseal, type Client, type VaultAccess } from '@vaultsvc/client';
import { keep } from '../../../api/kept.js';
import { queryClient } from '../../../api/query-client.js';
import { SealedUploads } from './sealed-uploads.js';
import { vaultKeys } from './vault-queries.js';
import { guarded } from './guarded-client.js';
import { sealNews } from './seal-news.js';

/** Why a vault is no longer open in this tab. */
export type Closing = 'lock' | 'idle' | 'expired' | 'sealed';

/** A vault that is open in this tab. Its token is in the client alone. */
export interface OpenVault extends VaultAccess {
  /** In epoch seconds. */
  readonly expiresAt: number;
  /** Whether a call was refused because the token only reads. */
  readonly isReadOnly: boolean;
  /** Interrupted uploads; the key that seals them comes from the key of the vault. */
  readonly sealed: SealedUploads;
}

interface OpenVaults {
  readonly open: Readonly<Record<string, OpenVault>>;
  readonly closed: Readonly<Record<string, Closing>>;
}

/** In memory of this tab: a reload asks for the key again. */
export const openVaults = keep<OpenVaults>({ open: {}, closed: {} }, { isUnsaved: () => false });

interface Opening {
  readonly client: Client;
  readonly vaultId: string;
  /** The master key or a delegated one. */
  readonly key: string;
  readonly ttlSeconds: number;
}

/** Opens a vault in this tab. Rejects with the refusal. */
export async function openVault({ client, vaultId, key, ttlSeconds }: Opening): Promise<void> {
  const keys = key.startsWith('dvak_') ? { dvak: key } : { vmk: key };
  const access = await unseal(client, vaultId, { ...keys, ttlSeconds });
  const sealed = await SealedUploads.of(vaultId, key);
  const inside = guarded(access.client, {
    onEnd: (reason) => closeVault(vaultId, reason),
    onReadOnly: () => markReadOnly(vaultId),
  });
  // An answer from before would say that the vault is sealed.
  await queryClient.cancelQueries({ queryKey: vaultKeys.one(vaultId), exact: true });
  queryClient.setQueryData(vaultKeys.one(vaultId), (vault: object | undefined) =>
    vault ? { ...vault, status: 'unsealed' } : undefined,
  );
  const { open, closed } = openVaults.get();
  const { expiresAt = 0 } = access;
  const opened = { vaultId, client: inside, expiresAt, isReadOnly: false, sealed };
  const { [vaultId]: _, ...others } = closed;
  openVaults.set({ open: { ...open, [vaultId]: opened }, closed: others });
  // A delegated key was used.
  void queryClient.invalidateQueries({ queryKey: vaultKeys.keys(vaultId) });
}

/** Forgets the token of a vault, and what was read with it. Running uploads go on: each has a URL of its own. */
export function closeVault(vaultId: string, reason: Closing): void {
  const { open, closed } = openVaults.get();
  if (!open[vaultId]) return;
  const { [vaultId]: _, ...others } = open;
  openVaults.set({ open: others, closed: { ...closed, [vaultId]: reason } });
  queryClient.removeQueries({ queryKey: vaultKeys.inside(vaultId) });
}

/** Seals a vault for everybody. Rejects with the refusal. */
export async function sealVault(client: Client, vaultId: string): Promise<void> {
  await client.POST('/v1/vaults/{vault_id}/seal', { params: { path: { vault_id: vaultId } } });
  closeVault(vaultId, 'lock');
  sealNews.tell(vaultId);
  await queryClient.invalidateQueries({ queryKey: vaultKeys.one(vaultId), exact: true });
}

function markReadOnly(vaultId: string): void {
  const { open } = openVaults.get();
  const vault = open[vaultId];
  if (vault) openVaults.update({ open: { ...open, [vaultId]: { ...vault, isReadOnly: true } } });
}

sealNews.listen((vaultId) => closeVault(vaultId, 'sealed'));
