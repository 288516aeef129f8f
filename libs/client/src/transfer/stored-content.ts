import { ApiError, ConnectionError } from '../api-error.js';
import { delay } from '../delay.js';
import { TransferError } from './transfer-error.js';
import type { VaultAccess } from './vault-access.js';

/** A version becomes active a moment after its last byte if a service was down then. */
const WAITS_MS = [100, 200, 400, 800, 1_600];

/** The version of a content, where the server names it: releases before content hashes do not. */
export interface NamedVersion {
  readonly version_id?: string;
  readonly content_hash?: string | null;
}

/**
 * Whether the vault stores what was sent; false where it does not name a hash, or not to this caller.
 * @throws TransferError if it stores something else
 */
export async function isStored(
  { client, vaultId }: VaultAccess,
  ingotId: string,
  contentHash: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
  const read = () =>
    client
      .GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params, signal })
      .then(({ data }) => data as NamedVersion)
      .catch((error: unknown) => {
        if (error instanceof ApiError || error instanceof ConnectionError) return undefined;
        throw error;
      });
  for (const wait of [...WAITS_MS, undefined]) {
    const stored = await read();
    if (!stored?.content_hash) return false;
    if (stored.content_hash === contentHash) return true;
    if (wait === undefined) throw otherContent(stored, contentHash);
    await delay(wait, signal);
  }
  return false;
}

function otherContent(
  { version_id = 'its version', content_hash }: NamedVersion,
  sent: string,
): TransferError {
  return new TransferError(
    `The vault stores other content than was sent: ${version_id} has the hash ${content_hash}; sent was ${sent}.`,
  );
}
