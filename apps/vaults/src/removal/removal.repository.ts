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
const VAULTS_MAX = 100;

/** What else is left of a vault in this schema, in the order in which it can go; folders go with the vault. */
const TABLES = ['vault_sessions', 'dvaks'] as const;

/** The end of vaults: at once for whoever wants to read, in batches for the rows. */
@Injectable()
export class RemovalRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks the vault and destroys every wrap of its key, and what its links open: nothing of it opens from the commit on. Locks as an unsealing
   * does, the vault before its keys. False when it was marked before; throws VAULT_NOT_FOUND.
   */
  async mark(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<boolean> {
    const marked = await tx.query(markVault, [vaultId, accountId]);
    if (marked.length === 0) return this.#assertMarked(tx, { vaultId, accountId });
    for (const destroy of destructions) await tx.query(destroy, [vaultId]);
    return true;
  }

  async #assertMarked(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<false> {
    if ((await tx.query(findMarked, [vaultId, accountId])).length === 0)
      throw new AppError('VAULT_NOT_FOUND');
    return false;
  }

  /** Vaults that wait for their removal, longest first. */
  marked(): Promise<VaultIdentity[]> {
    return this.database.query<VaultIdentity>(listMarked, [VAULTS_MAX]);
  }

  /** Removes a batch of what is left, and tells what becomes of its versions. True when there may be more. */
  async removeBatch({ vaultId }: VaultIdentity): Promise<boolean> {
    for (const removal of removals)
      if ((await this.database.query(removal, [vaultId, BATCH_MAX])).length > 0) return true;
    return false;
  }

  /** Removes the vault itself. False when another copy of the service did, or is still at what is left of it. */
  async remove(tx: Queryable, { vaultId }: VaultIdentity): Promise<boolean> {
    return (await tx.query(removeVault, [vaultId])).length > 0;
  }
}

const markVault = statement(
  'vaults.mark-deleting',
  `UPDATE vaults SET status = 'deleting', deleted_at = now(), seal_epoch = seal_epoch + 1
     FROM ${EXCLUSIVE_LOCK}
    WHERE id = $1 AND account_id = $2 AND status = 'active' RETURNING id`,
);

const findMarked = statement(
  'vaults.find-deleting',
  `SELECT id FROM vaults WHERE id = $1 AND account_id = $2 AND status = 'deleting'`,
);

const destroyKey = statement('vaults.destroy-vault-key', `DELETE FROM vault_keys WHERE vault_id = $1`);

const destroyDvaks = statement(
  'vaults.destroy-dvaks',
  `UPDATE dvaks SET status = 'revoked', revoked_at = now(), wrapped_key = NULL WHERE vault_id = $1 AND status = 'active'`,
);

// The rows stay for the job: until it is done, a token of the vault finds that the vault is gone.
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

// First: an ingot that is told of as removed takes no room any more.
const removeValues = statement(
  'vaults.remove-structured_values',
  `${batchOf('structured_values')} RETURNING vault_id`,
);

// Pools and forge follow the versions and the structured ones, whoever ends them: told in the statement that removes the
// rows that know them.
const removeIngots = statement(
  'vaults.remove-ingots',
  `WITH gone AS (${batchOf('ingots')} RETURNING *),
     versions AS (DELETE FROM ingot_versions v USING gone WHERE v.ingot_id = gone.id),
     keyed AS (DELETE FROM structured_ingots s USING gone WHERE s.ingot_id = gone.id),
     told AS (
       INSERT INTO outbox (name, account_id, payload)
       SELECT fact.name, account_id, fact.payload || jsonb_build_object(
                'account_id', account_id, 'vault_id', vault_id, 'ingot_id', id)
         FROM gone CROSS JOIN LATERAL (VALUES
           ('${versionReleased.name}', current_version IS NOT NULL, jsonb_build_object(
             'version_id', current_version, 'size_bytes', size_bytes, 'reason', 'deleted')),
           ('${versionDropped.name}', pending_version IS NOT NULL, jsonb_build_object('version_id', pending_version)),
           ('${structuredRemoved.name}', coalesce(managed_by, '') = '${STRUCTURED_PRODUCT}', jsonb_build_object(
             'size_bytes', size_bytes))) fact (name, is_true, payload)
        WHERE fact.is_true)
   SELECT id FROM gone`,
);

const removals = [
  removeValues,
  removeIngots,
  ...TABLES.map((table) => statement(`vaults.remove-${table}`, `${batchOf(table)} RETURNING vault_id`)),
];

// No foreign key holds the values: another copy may have locked the last of them, and leave them here when it dies.
const removeVault = statement(
  'vaults.remove-vault',
  `DELETE FROM vaults WHERE id = $1 AND status = 'deleting'
      AND NOT EXISTS (SELECT FROM structured_values WHERE vault_id = $1) RETURNING id`,
);
