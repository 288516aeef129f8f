import { AppError, idPattern } from '@vaultsvc/contracts';
import { INGOT_NAME_MAX } from '@vaultsvc/contracts/vaults';
import { statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { nameKey } from '../vault/name-key.js';

/** An ingot as it was when it was looked for. Type, filename and size are of the current version, or of the first one. */
export interface FoundIngot {
  readonly ingotId: string;
  readonly name: string;
  /** null: the root of the vault. */
  readonly folderId: string | null;
  /** The version that downloads give; null until a first one is whole. */
  readonly currentVersion: string | null;
  readonly contentType: string;
  readonly originalFilename: string | null;
  readonly sizeBytes: number;
}

/** An ingot of any product, or of none. */
export type Candidate = FoundIngot & {
  readonly managedBy: string | null;
};

const INGOT_ID = idPattern('ing');
/** A character outside the basic plane is two units. */
const NAME_UNITS_MAX = 2 * INGOT_NAME_MAX;

/** How many an answer names at most when there are several. */
export const CANDIDATES_MAX = 100;

/**
 * The one ingot of this vault that a reference means: an id, or a colon and a name (ING-25). Throws INGOT_NOT_FOUND
 * for whatever is not there for the account, INGOT_NAME_AMBIGUOUS when several folders hold the name (ING-26).
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

/** 409 that tells the caller by which ids to go on. */
export function ambiguous(found: readonly Pick<FoundIngot, 'ingotId' | 'folderId'>[]): AppError {
  const candidates = found.map(({ ingotId, folderId }) => ({ ingot_id: ingotId, folder_id: folderId }));
  return new AppError('INGOT_NAME_AMBIGUOUS', { candidates });
}

async function candidates(
  { vaultId, accountId }: VaultIdentity,
  reference: string,
  on: Queryable,
): Promise<Candidate[]> {
  if (INGOT_ID.test(reference)) return on.query<Candidate>(findById, [vaultId, accountId, reference]);
  const name = reference.slice(1);
  if (!reference.startsWith(':') || !mayBeName(name)) return [];
  return on.query<Candidate>(findByName, [vaultId, accountId, nameKey(name), CANDIDATES_MAX]);
}

/** PostgreSQL takes no NUL; what is too long is not worth a comparison. */
function mayBeName(text: string): boolean {
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
  `${FIND} AND i.name_key = $3 ORDER BY i.id LIMIT $4`,
);
