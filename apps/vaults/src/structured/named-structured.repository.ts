import { Injectable } from '@nestjs/common';
import { STRUCTURED_PRODUCT } from '@vaultsvc/contracts/vaults';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import { fileTypeOf } from '../ingot/file-type.js';
import { CANDIDATES_MAX } from '../ingot/ingot-candidates.js';
import { ingotNameKey } from '../ingot/ingot-name.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { StructuredIdentity } from './structured-key.js';

/** An ingot that stands in the way of a name, or is the one that is meant. */
export interface NameHolder {
  readonly ingotId: string;
  readonly folderId: string | null;
  readonly isStructured: boolean;
}

/** A structured ingot whose keys are all new: version 1 of it. */
export interface NewStructuredRow extends StructuredIdentity {
  readonly name: string;
  readonly wrappedKey: Buffer;
  readonly keyCount: number;
  /** Of its values. */
  readonly sizeBytes: number;
}

/** What an ingot was before it was overwritten. */
export interface Overwritten {
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly sizeBytes: number;
}

/** Structured ingots as they begin, under the name that they are given. Whoever makes them holds the vault. */
@Injectable()
export class NamedStructured {
  constructor(private readonly database: Database) {}

  /** Structured ingots of this name wherever they lie, and whatever else has it at the root (AMB-43). */
  holdersOf({ vaultId, accountId }: VaultIdentity, name: string): Promise<NameHolder[]> {
    const values = [vaultId, accountId, ingotNameKey(name), STRUCTURED_PRODUCT, CANDIDATES_MAX];
    return this.database.query(findHolders, values);
  }

  /** Puts it at the root and gives its time in epoch seconds; undefined when the name is taken there. */
  async insert(tx: Queryable, row: NewStructuredRow): Promise<number | undefined> {
    const values = [...valuesOf(row), STRUCTURED_PRODUCT];
    const [made] = await tx.query<{ created_at: number }>(insertStructured, values);
    return made?.created_at;
  }

  /** Makes it anew under its id; undefined when there is no such ingot any more. */
  async overwrite(tx: Queryable, row: NewStructuredRow): Promise<Overwritten | undefined> {
    const [before] = await tx.query<Overwritten>(overwriteStructured, valuesOf(row));
    return before;
  }
}

function valuesOf(row: NewStructuredRow): unknown[] {
  const { ingotId, vaultId, accountId, name, wrappedKey, keyCount, sizeBytes } = row;
  const named = [name, ingotNameKey(name), fileTypeOf(name)];
  return [ingotId, vaultId, accountId, wrappedKey, keyCount, sizeBytes, ...named];
}

const findHolders = statement(
  'vaults.find-structured-holders',
  `SELECT i.id AS "ingotId", i.folder_id AS "folderId", i.managed_by IS NOT DISTINCT FROM $4::text AS "isStructured"
     FROM ingots i
    WHERE i.vault_id = $1 AND i.account_id = $2 AND i.name_key = $3 AND (i.managed_by = $4 OR i.folder_id IS NULL)
    ORDER BY i.id LIMIT $5`,
);

const insertStructured = statement(
  'vaults.insert-structured',
  `WITH made AS (
     INSERT INTO ingots AS i (id, vault_id, account_id, name, name_key, file_type, content_type, size_bytes, status, managed_by)
     VALUES ($1, $2, $3, $7, $8, $9, 'application/json', $6, 'active', $10)
     ON CONFLICT (vault_id, folder_id, name_key) DO NOTHING
     RETURNING id, ${epochSeconds('i.created_at')})
   INSERT INTO structured_ingots (ingot_id, vault_id, account_id, wrapped_key, version, key_count)
   SELECT id, $2, $3, $4, 1, $5 FROM made
   RETURNING (SELECT created_at FROM made)`,
);

// The vault is held: nobody changes what was read here before it is written.
const overwriteStructured = statement(
  'vaults.overwrite-structured',
  `WITH keyed AS (
     UPDATE structured_ingots SET wrapped_key = $4, version = 1, key_count = $5
      WHERE ingot_id = $1 AND vault_id = $2 AND account_id = $3
     RETURNING ingot_id),
   before AS (SELECT id, size_bytes FROM ingots JOIN keyed ON ingot_id = id WHERE name_key = $8)
   UPDATE ingots i
      SET name = $7, file_type = $9, size_bytes = $6, updated_at = greatest(now(), i.updated_at)
     FROM before WHERE i.id = before.id
   RETURNING ${epochSeconds('i.created_at', 'createdAt')}, before.size_bytes AS "sizeBytes"`,
);
