import { Injectable } from '@nestjs/common';
import { AppError, idPattern } from '@vaultsvc/contracts';
import { nameKey } from '@vaultsvc/contracts/names';
import { INGOT_NAME_MAX } from '@vaultsvc/contracts/vaults';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';

/** An ingot at the time of the lookup. Type, filename and size are of the current version, or of the first upload. */
export interface FoundIngot {
  readonly ingotId: string;
  readonly name: string;
  /** null: the root of the vault. */
  readonly folderId: string | null;
  /** The version that downloads return; null until the first upload is complete. */
  readonly currentVersion: string | null;
  readonly contentType: string;
  readonly originalFilename: string | null;
  readonly sizeBytes: number;
}

/** An ingot that may be managed by a product. */
export type Candidate = FoundIngot & {
  readonly managedBy: string | null;
  readonly [column: string]: unknown;
};

const INGOT_ID = idPattern('ing');
/** A character outside the basic plane is two units. */
const NAME_UNITS_MAX = 2 * INGOT_NAME_MAX;

/** How many candidates INGOT_NAME_AMBIGUOUS lists at most. */
export const CANDIDATES_MAX = 100;

/** Finds ingots by a reference: an id, or a colon and a name (ING-25). */
@Injectable()
export class IngotFinder {
  constructor(private readonly database: Database) {}

  /** The one ingot of this vault that a reference names. Throws what `onlyCandidate` does, and INGOT_MANAGED (AMB-56). */
  async find(vault: VaultIdentity, reference: string): Promise<FoundIngot> {
    return unmanaged(await onlyCandidate(vault, reference, this.database));
  }

  /**
   * The one ingot of a folder that a reference names; a name is unique there. Throws INGOT_NOT_FOUND, also for an ingot of
   * another folder (CRA-08), and INGOT_MANAGED. @param folderId null: a folder that does not exist
   */
  async findInFolder(
    { vaultId, accountId }: VaultIdentity,
    folderId: string | null,
    reference: string,
  ): Promise<FoundIngot> {
    const named = referenceOf(reference);
    const values = [vaultId, accountId, folderId, named?.id ?? null, named?.nameKey ?? null];
    const [found] =
      named && folderId !== null ? await this.database.query<Candidate>(findInFolder, values) : [];
    if (!found) throw new AppError('INGOT_NOT_FOUND');
    return unmanaged(found);
  }
}

function unmanaged({ managedBy, ...ingot }: Candidate): FoundIngot {
  if (managedBy !== null) throw new AppError('INGOT_MANAGED');
  return ingot;
}

/**
 * The one ingot of this vault, managed or not, that a reference names. Throws INGOT_NOT_FOUND when the account has no such
 * ingot, INGOT_NAME_AMBIGUOUS with at most 100 candidates when ingots in several folders have the name (ING-26).
 */
export async function onlyCandidate(
  vault: VaultIdentity,
  reference: string,
  on: Queryable,
): Promise<Candidate> {
  const [found, ...others] = await candidates(vault, reference, on);
  if (!found) throw new AppError('INGOT_NOT_FOUND');
  if (others.length > 0) throw ambiguous([found, ...others]);
  return found;
}

/** 409 with the ids of the ingots that have the name. */
export function ambiguous(found: readonly Pick<FoundIngot, 'ingotId' | 'folderId'>[]): AppError {
  const candidates = found.map(({ ingotId, folderId }) => ({ ingot_id: ingotId, folder_id: folderId }));
  return new AppError('INGOT_NAME_AMBIGUOUS', { candidates });
}

async function candidates(
  { vaultId, accountId }: VaultIdentity,
  reference: string,
  on: Queryable,
): Promise<Candidate[]> {
  const named = referenceOf(reference);
  if (!named) return [];
  return named.id !== undefined
    ? on.query<Candidate>(findById, [vaultId, accountId, named.id])
    : on.query<Candidate>(findByName, [vaultId, accountId, named.nameKey, CANDIDATES_MAX]);
}

/** The id or the key of the name in a reference; undefined for a text that names no ingot. */
function referenceOf(
  reference: string,
):
  | { readonly id: string; readonly nameKey?: never }
  | { readonly id?: never; readonly nameKey: string }
  | undefined {
  if (INGOT_ID.test(reference)) return { id: reference };
  const name = reference.slice(1);
  return reference.startsWith(':') && canBeName(name) ? { nameKey: nameKey(name) } : undefined;
}

/** PostgreSQL rejects NUL in text; longer texts than any name need no query. */
function canBeName(text: string): boolean {
  return text.length <= NAME_UNITS_MAX && !text.includes('\0');
}

const FIND = `
  SELECT i.id AS "ingotId", i.name, i.folder_id AS "folderId", i.managed_by AS "managedBy",
         i.current_version AS "currentVersion", i.content_type AS "contentType",
         i.original_filename AS "originalFilename", i.size_bytes AS "sizeBytes"
    FROM ingots i JOIN vaults v ON v.id = i.vault_id AND v.account_id = $2 AND v.status = 'active'
   WHERE i.vault_id = $1`;

const findById = statement('vaults.find-ingot', `${FIND} AND i.id = $3`);

const findByName = statement(
  'vaults.find-ingots-by-name',
  `${FIND} AND i.folded_name = $3 ORDER BY i.id LIMIT $4`,
);

// A record reaches the files of its folder alone (CRA-08).
const findInFolder = statement(
  'vaults.find-ingot-in-folder',
  `${FIND} AND i.folder_id = $3 AND (i.id = $4::text OR i.folded_name = $5::text)`,
);
