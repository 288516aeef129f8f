import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { fileTypeOf, STRUCTURED_PRODUCT, type StructuredSummary } from '@vaultsvc/contracts/vaults';
import { Database, epochSeconds, namedStatement, statement, type Queryable } from '@vaultsvc/database';
import { CANDIDATES_MAX } from '../ingot/ingot-finder.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { boundedNameKey } from '../keys/name-key.js';
import type { FoundStructured } from './structured-finder.js';
import type { StructuredIdentity } from './structured-key.js';

/** An ingot that already has the name of a structured ingot to be created. */
export interface NameHolder {
  readonly ingotId: string;
  readonly folderId: string | null;
  readonly isStructured: boolean;
}

/** Version 1 of a structured ingot. */
export interface StructuredInsert extends StructuredIdentity {
  readonly name: string;
  readonly wrappedKey: Buffer;
  readonly keyCount: number;
  /** Sum of its values. */
  readonly sizeBytes: number;
}

/** The ingot before it was overwritten. */
export interface Overwritten {
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly sizeBytes: number;
}

/** The rows of structured ingots, without their values. Callers that change them have locked the vault. */
@Injectable()
export class StructuredRepository {
  constructor(private readonly database: Database) {}

  /** The structured ones among the first `limit` ingots of a vault, oldest first (STR-07). */
  list(vaultId: string, limit: number): Promise<StructuredSummary[]> {
    return this.database.query(listStructured, [vaultId, limit, STRUCTURED_PRODUCT]);
  }

  /** The structured ingots of this name in any folder, and the ingot of any kind that has it at the root (AMB-43). */
  findNameHolders({ vaultId, accountId }: VaultIdentity, name: string): Promise<NameHolder[]> {
    const values = [vaultId, accountId, boundedNameKey(name), STRUCTURED_PRODUCT, CANDIDATES_MAX];
    return this.database.query(findHolders, values);
  }

  /** Inserts it at the root. Returns its creation time in epoch seconds; undefined when the name is taken there. */
  async insert(tx: Queryable, row: StructuredInsert): Promise<number | undefined> {
    const values = insertStructured.valuesOf(columnsOf(row));
    const [inserted] = await tx.query<{ created_at: number }>(insertStructured, values);
    return inserted?.created_at;
  }

  /** Resets it to version 1 under a new key and keeps its id. Undefined when it was deleted. */
  async overwrite(tx: Queryable, row: StructuredInsert): Promise<Overwritten | undefined> {
    const [before] = await tx.query<Overwritten>(
      overwriteStructured,
      overwriteStructured.valuesOf(columnsOf(row)),
    );
    return before;
  }

  /**
   * Advances the version that the caller found and returns its number of keys. Throws STRUCTURED_OVERTAKEN when another
   * call changed the ingot first (STR-16), INGOT_NOT_FOUND when it was deleted.
   */
  async advance(tx: Queryable, { vaultId }: VaultIdentity, found: FoundStructured): Promise<number> {
    const { ingotId, version, wrappedKey } = found;
    const values = [ingotId, vaultId, version, wrappedKey];
    const [row] = await tx.query<{ key_count: number }>(advance, values);
    if (row) return row.key_count;
    const exists = (await tx.query(findAgain, [ingotId, vaultId])).length > 0;
    throw new AppError(exists ? 'STRUCTURED_OVERTAKEN' : 'INGOT_NOT_FOUND');
  }

  /** Stores the number of keys and the added bytes of a change. Returns `updated_at` in epoch seconds. */
  async settle(tx: Queryable, ingotId: string, keyCount: number, addedBytes: number): Promise<number> {
    const [row] = await tx.query<{ updated_at: number }>(settle, [ingotId, keyCount, addedBytes]);
    if (!row) throw new AppError('INGOT_NOT_FOUND');
    return row.updated_at;
  }

  /** Deletes it with its key and returns the bytes that it stored. Throws INGOT_NOT_FOUND. */
  async delete(tx: Queryable, { vaultId, accountId }: VaultIdentity, ingotId: string): Promise<number> {
    const [row] = await tx.query<{ size_bytes: number }>(deleteStructured, [ingotId, vaultId, accountId]);
    if (!row) throw new AppError('INGOT_NOT_FOUND');
    return row.size_bytes;
  }
}

function columnsOf(row: StructuredInsert) {
  return { ...row, nameKey: boundedNameKey(row.name), fileType: fileTypeOf(row.name) };
}

const listStructured = statement(
  'vaults.list-structured',
  `SELECT i.id AS ingot_id, i.name, NULL AS version, NULL AS key_count,
          ${epochSeconds('i.created_at')}, ${epochSeconds('i.updated_at')}
     FROM (SELECT * FROM ingots WHERE vault_id = $1 ORDER BY created_at, id LIMIT $2) i
    WHERE i.managed_by = $3 ORDER BY i.created_at, i.id`,
);

const findHolders = statement(
  'vaults.find-structured-holders',
  `SELECT i.id AS "ingotId", i.folder_id AS "folderId", i.managed_by IS NOT DISTINCT FROM $4::text AS "isStructured"
     FROM ingots i
    WHERE i.vault_id = $1 AND i.account_id = $2 AND i.folded_name = $3 AND (i.managed_by = $4 OR i.folder_id IS NULL)
    ORDER BY i.id LIMIT $5`,
);

const insertStructured = namedStatement<ReturnType<typeof columnsOf>>(
  'vaults.insert-structured',
  (v) => `
   WITH inserted AS (
     INSERT INTO ingots AS i (id, vault_id, account_id, name, folded_name, file_type, content_type, size_bytes, status, managed_by)
     VALUES (${v.ingotId}, ${v.vaultId}, ${v.accountId}, ${v.name}, ${v.nameKey}, ${v.fileType}, 'application/json', ${v.sizeBytes},
             'active', '${STRUCTURED_PRODUCT}')
     ON CONFLICT DO NOTHING
     RETURNING id, ${epochSeconds('i.created_at')})
   INSERT INTO structured_ingots (ingot_id, vault_id, account_id, wrapped_key, version, key_count)
   SELECT id, ${v.vaultId}, ${v.accountId}, ${v.wrappedKey}, 1, ${v.keyCount} FROM inserted
   RETURNING (SELECT created_at FROM inserted)`,
);

// The vault is locked, so `before` cannot change between the two updates.
const overwriteStructured = namedStatement<ReturnType<typeof columnsOf>>(
  'vaults.overwrite-structured',
  (v) => `
   WITH keyed AS (
     UPDATE structured_ingots SET wrapped_key = ${v.wrappedKey}, version = 1, key_count = ${v.keyCount}
      WHERE ingot_id = ${v.ingotId} AND vault_id = ${v.vaultId} AND account_id = ${v.accountId}
     RETURNING ingot_id),
   before AS (SELECT id, size_bytes FROM ingots JOIN keyed ON ingot_id = id WHERE folded_name = ${v.nameKey})
   UPDATE ingots i
      SET name = ${v.name}, file_type = ${v.fileType}, size_bytes = ${v.sizeBytes},
          updated_at = greatest(now(), i.updated_at + interval '1 second')
     FROM before WHERE i.id = before.id
   RETURNING ${epochSeconds('i.created_at', 'createdAt')}, before.size_bytes AS "sizeBytes"`,
);

// The key is compared too: an overwrite resets the version to 1 under a new key.
const advance = statement(
  'vaults.advance-structured',
  `UPDATE structured_ingots SET version = version + 1
    WHERE ingot_id = $1 AND vault_id = $2 AND version = $3 AND wrapped_key = $4
   RETURNING key_count`,
);

const findAgain = statement(
  'vaults.find-structured-again',
  `SELECT ingot_id FROM structured_ingots WHERE ingot_id = $1 AND vault_id = $2`,
);

// `updated_at` advances by at least a second, as that of files does: a client that compares times misses no change (ING-18).
const settle = statement(
  'vaults.settle-structured',
  `WITH counted AS (UPDATE structured_ingots SET key_count = $2 WHERE ingot_id = $1)
   UPDATE ingots i
      SET size_bytes = size_bytes + $3, updated_at = greatest(now(), updated_at + interval '1 second')
    WHERE id = $1 RETURNING ${epochSeconds('i.updated_at')}`,
);

const deleteStructured = statement(
  'vaults.delete-structured',
  `WITH deleted AS (
     DELETE FROM structured_ingots WHERE ingot_id = $1 AND vault_id = $2 AND account_id = $3 RETURNING ingot_id)
   DELETE FROM ingots i USING deleted WHERE i.id = deleted.ingot_id RETURNING i.size_bytes`,
);
