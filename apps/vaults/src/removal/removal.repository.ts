import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  STRUCTURED_PRODUCT,
  structuredRemoved,
  versionDropped,
  versionReleased,
} from '@vaultsvc/contracts/vaults';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { EXCLUSIVE_LOCK } from '../vault/vault-advisory-lock.js';

const BATCH_MAX = 500;
const VAULTS_BATCH = 100;

/** Other tables of a vault in this schema, in the order of deletion; folders are deleted with the vault. */
const TABLES = ['vault_sessions', 'dvaks'] as const;

/** What goes with a deleted vault. */
export interface RemovedFigures {
  readonly ingot_count: number;
  readonly folder_count: number;
  readonly dvak_count: number;
  readonly storage_bytes: number;
}

/** Deletes vaults: marking makes a vault unreadable at once, batches then remove its rows. */
@Injectable()
export class RemovalRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks the vault and destroys every wrap of its key, and the keys of its links: after the commit nothing of the
   * vault can be decrypted. Locks the vault before its keys, as an unsealing does. Resolves to the figures of what goes with it,
   * or to null when it was marked before.
   * Throws VAULT_NOT_FOUND.
   */
  async mark(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<RemovedFigures | null> {
    const [removed] = await tx.query<RemovedFigures>(markVault, [vaultId, accountId]);
    if (!removed) return this.#assertMarked(tx, { vaultId, accountId });
    for (const destroy of destructions) await tx.query(destroy, [vaultId]);
    return removed;
  }

  async #assertMarked(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<null> {
    if ((await tx.query(findMarked, [vaultId, accountId])).length === 0)
      throw new AppError('VAULT_NOT_FOUND');
    return null;
  }

  /** Vaults marked for deletion, oldest mark first. */
  marked(): Promise<VaultIdentity[]> {
    return this.database.query<VaultIdentity>(listMarked, [VAULTS_BATCH]);
  }

  /** Removes a batch of rows and publishes the ends of versions. True when more rows may remain. */
  async removeBatch({ vaultId }: VaultIdentity): Promise<boolean> {
    for (const removal of removals)
      if ((await this.database.query(removal, [vaultId, BATCH_MAX])).length > 0) return true;
    return false;
  }

  /** Removes the row of the vault. False when another instance has removed it or is still removing rows. */
  async remove(tx: Queryable, { vaultId }: VaultIdentity): Promise<boolean> {
    return (await tx.query(removeVault, [vaultId])).length > 0;
  }
}

const markVault = statement(
  'vaults.mark-deleting',
  `UPDATE vaults SET status = 'deleting', deleted_at = now(), seal_epoch = seal_epoch + 1
     FROM ${EXCLUSIVE_LOCK}
    WHERE id = $1 AND account_id = $2 AND status = 'active'
   RETURNING ingot_count, storage_bytes,
             (SELECT count(*) FROM folders WHERE vault_id = $1) AS folder_count,
             (SELECT count(*) FROM dvaks WHERE vault_id = $1 AND status = 'active') AS dvak_count`,
);

// Of a vault that `markVault` has not found active.
const findMarked = statement(
  'vaults.find-deleting',
  `SELECT id FROM vaults WHERE id = $1 AND account_id = $2`,
);

const destroyKey = statement('vaults.destroy-vault-key', `DELETE FROM vault_keys WHERE vault_id = $1`);

const destroyDvaks = statement(
  'vaults.destroy-dvaks',
  `UPDATE dvaks SET status = 'revoked', revoked_at = now(), wrapped_key = NULL WHERE vault_id = $1 AND status = 'active'`,
);

// The rows stay until the job deletes the vault: tokens of the vault are answered with VAULT_NOT_FOUND until then.
const destroySessions = statement(
  'vaults.destroy-sessions',
  `UPDATE vault_sessions SET wrapped_key = NULL WHERE vault_id = $1 AND wrapped_key IS NOT NULL`,
);

const destroyShares = statement('vaults.destroy-shares', `DELETE FROM ingot_shares WHERE vault_id = $1`);

const destroyLinkKeys = statement('vaults.destroy-link-keys', `DELETE FROM link_keys WHERE vault_id = $1`);

const destructions = [destroyKey, destroyDvaks, destroySessions, destroyShares, destroyLinkKeys];

const listMarked = statement(
  'vaults.list-deleting',
  `SELECT id AS "vaultId", account_id AS "accountId" FROM vaults WHERE status = 'deleting' ORDER BY deleted_at LIMIT $1`,
);

const batchOf = (table: string) => `
  DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE vault_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`;

// Values first: once the removal of an ingot is published, it must not occupy storage.
const removeValues = statement(
  'vaults.remove-structured_values',
  `${batchOf('structured_values')} RETURNING vault_id`,
);

// Reporting and forge follow these events. The statement that deletes the rows also inserts the events, because only
// the rows have their data.
const removeIngots = statement(
  'vaults.remove-ingots',
  `WITH deleted AS (${batchOf('ingots')} RETURNING *),
     versions AS (DELETE FROM ingot_versions v USING deleted WHERE v.ingot_id = deleted.id),
     keyed AS (DELETE FROM structured_ingots s USING deleted WHERE s.ingot_id = deleted.id),
     events AS (
       INSERT INTO outbox (name, account_id, payload)
       SELECT event.name, account_id, event.payload || jsonb_build_object(
                'account_id', account_id, 'vault_id', vault_id, 'ingot_id', id)
         FROM deleted CROSS JOIN LATERAL (VALUES
           ('${versionReleased.name}', current_version IS NOT NULL, jsonb_build_object(
             'version_id', current_version, 'size_bytes', size_bytes, 'reason', 'deleted')),
           ('${versionDropped.name}', pending_version IS NOT NULL, jsonb_build_object('version_id', pending_version)),
           ('${structuredRemoved.name}', coalesce(managed_by, '') = '${STRUCTURED_PRODUCT}', jsonb_build_object(
             'size_bytes', size_bytes))) event (name, is_due, payload)
        WHERE event.is_due)
   SELECT id FROM deleted`,
);

const removals = [
  removeValues,
  removeIngots,
  ...TABLES.map((table) => statement(`vaults.remove-${table}`, `${batchOf(table)} RETURNING vault_id`)),
];

// Values have no foreign key: another instance may have locked the last of them, and leaves them here when it dies.
const removeVault = statement(
  'vaults.remove-vault',
  `DELETE FROM vaults WHERE id = $1 AND status = 'deleting'
      AND NOT EXISTS (SELECT FROM structured_values WHERE vault_id = $1) RETURNING id`,
);
