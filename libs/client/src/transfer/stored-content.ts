import { ApiError, ConnectionError } from '../api-error.js';
import { delay } from '../delay.js';
import { TransferError } from './transfer-error.js';
import type { VaultAccess } from './vault-access.js';

/** A version becomes active a moment after its last byte if a service was down then. */
const WAITS_MS = [100, 200, 400, 800, 1_600];

/** The version of a content, as far as the server names it: releases before content hashes and times do not. */
export interface NamedVersion {
  /** null before the first content is complete. */
  readonly version_id?: string | null;
  readonly content_hash?: string | null;
  readonly modified_at?: number | null;
}

/** What was sent. */
export interface SentContent {
  readonly ingotId: string;
  readonly contentHash: string;
  /** The version that was active before; undefined if that is not known. */
  readonly former: string | null | undefined;
}

/** The active version of a file; undefined if the server does not tell this caller. */
export async function activeVersion(
  { client, vaultId }: VaultAccess,
  ingotId: string,
  signal: AbortSignal | undefined,
): Promise<NamedVersion | undefined> {
  const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
  try {
    const { data } = await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params, signal });
    return data as NamedVersion;
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) return undefined;
    throw error;
  }
}

/**
 * Whether the vault stores what was sent; false where it does not name a hash, or while the former version is active: the new
 * one follows when the services that were down are back.
 * @throws TransferError if it stores something else
 */
export async function isStored(
  vault: VaultAccess,
  { ingotId, contentHash, former }: SentContent,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const wait of [...WAITS_MS, undefined]) {
    const stored = await activeVersion(vault, ingotId, signal);
    if (stored?.content_hash === contentHash) return true;
    const isFormer = former !== undefined && stored?.version_id === former;
    if (!isFormer && !stored?.content_hash) return false;
    if (wait !== undefined) await delay(wait, signal);
    else if (!isFormer) throw otherContent(stored, contentHash);
  }
  return false;
}

function otherContent(stored: NamedVersion | undefined, sent: string): TransferError {
  const { version_id, content_hash } = stored ?? {};
  return new TransferError(
    `The vault stores other content than was sent: ${version_id} has the hash ${content_hash}; sent was ${sent}.`,
  );
}
