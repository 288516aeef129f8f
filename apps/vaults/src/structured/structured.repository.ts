import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { STRUCTURED_PRODUCT, type StructuredSummary } from '@vaultsvc/contracts/vaults';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { FoundStructured } from './structured-finder.js';

/** The rows of structured ingots, without their values. Whoever changes them holds the vault (`StructuredChanges`). */
@Injectable()
export class StructuredRepository {
  constructor(private readonly database: Database) {}

  /** The structured ones among the first ingots of a vault, oldest first (STR-07). */
  list(vaultId: string, limit: number): Promise<StructuredSummary[]> {
    return this.database.query(listStructured, [vaultId, limit, STRUCTURED_PRODUCT]);
  }

  /**
   * Moves on from the version that was found, and gives how many keys it has. Throws STRUCTURED_OVERTAKEN when another
   * call was there before (STR-16), INGOT_NOT_FOUND when the ingot went.
   */
  async advance(tx: Queryable, { vaultId }: VaultIdentity, found: FoundStructured): Promise<number> {
    const { ingotId, version, wrappedKey } = found;
    const values = [ingotId, vaultId, version, wrappedKey];
    const [row] = await tx.query<{ key_count: number }>(advance, values);
    if (row) return row.key_count;
    const isThere = (await tx.query(findAgain, [ingotId, vaultId])).length > 0;
    throw new AppError(isThere ? 'STRUCTURED_OVERTAKEN' : 'INGOT_NOT_FOUND');
  }

  /** What the ingot has after a change; gives when it was changed, in epoch seconds. */
  async settle(tx: Queryable, ingotId: string, keyCount: number, addedBytes: number): Promise<number> {
    const [row] = await tx.query<{ updated_at: number }>(settle, [ingotId, keyCount, addedBytes]);
    if (!row) throw new AppError('INGOT_NOT_FOUND');
    return row.updated_at;
  }

  /** Removes it with its key, and gives what it stored. Throws INGOT_NOT_FOUND. */
  async delete(tx: Queryable, { vaultId, accountId }: VaultIdentity, ingotId: string): Promise<number> {
    const [row] = await tx.query<{ size_bytes: number }>(deleteStructured, [ingotId, vaultId, accountId]);
    if (!row) throw new AppError('INGOT_NOT_FOUND');
    return row.size_bytes;
  }
}

const listStructured = statement(
  'vaults.list-structured',
  `SELECT i.id AS ingot_id, i.name, NULL AS version, NULL AS key_count,
          ${epochSeconds('i.created_at')}, ${epochSeconds('i.updated_at')}
     FROM (SELECT * FROM ingots WHERE vault_id = $1 ORDER BY created_at, id LIMIT $2) i
    WHERE i.managed_by = $3 ORDER BY i.created_at, i.id`,
);

// Not the version alone: one that was overwritten begins with 1 again, under another key.
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

// Files move `updated_at` on by a second each time, for `expected_updated_at`. Here the version tells changes apart, and a
// program that counts by them would be hours ahead of the clock.
const settle = statement(
  'vaults.settle-structured',
  `WITH counted AS (UPDATE structured_ingots SET key_count = $2 WHERE ingot_id = $1)
   UPDATE ingots i
      SET size_bytes = size_bytes + $3, updated_at = greatest(now(), updated_at)
    WHERE id = $1 RETURNING ${epochSeconds('i.updated_at')}`,
);

const deleteStructured = statement(
  'vaults.delete-structured',
  `WITH gone AS (
     DELETE FROM structured_ingots WHERE ingot_id = $1 AND vault_id = $2 AND account_id = $3 RETURNING ingot_id)
   DELETE FROM ingots i USING gone WHERE i.id = gone.ingot_id RETURNING i.size_bytes`,
);
