import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { nameKey } from '@vaultsvc/contracts/names';
import type { UpdatedVault, Vault, VaultChange, VaultQuery, VaultSummary } from '@vaultsvc/contracts/vaults';
import {
  Database,
  epochSeconds,
  type Page,
  type Queryable,
  readPosition,
  statement,
  toPage,
  type Transaction,
} from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { rejectTakenName } from '../keys/name-key.js';
import { EXCLUSIVE_LOCK } from './vault-advisory-lock.js';

export interface VaultInsert extends VaultIdentity {
  readonly name: string;
  readonly createdByUserId: string | null;
  readonly wrappedKey: Buffer;
}

/** Vaults of accounts. A vault that is being deleted appears only in lists with that status (OPEN-12). */
@Injectable()
export class VaultRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts a vault with the wrap of its key, and returns the creation time in epoch seconds. Throws VAULT_NAME_TAKEN (VLT-02).
   */
  async insert(tx: Transaction, vault: VaultInsert): Promise<number> {
    const { vaultId, accountId, name, createdByUserId } = vault;
    const [row] = await tx.query<{ created_at: number }>(insertVault, [
      vaultId,
      accountId,
      name,
      nameKey(name),
      createdByUserId,
    ]);
    if (!row) throw new AppError('VAULT_NAME_TAKEN');
    await tx.query(insertKey, [vaultId, vault.wrappedKey]);
    return row.created_at;
  }

  /** Newest first; without a status, vaults that are not being deleted. */
  async list(accountId: string, { status, limit, cursor }: VaultQuery): Promise<Page<VaultSummary>> {
    const [createdAt = null, id = null] = readPosition(cursor, 2) ?? [];
    const values = [accountId, status ?? 'active', createdAt, id, limit + 1];
    const rows = await this.database.query<VaultSummary & { position: string }>(listVaults, values);
    return toPage(rows, limit, (row) => [row.position, row.vault_id]);
  }

  /** With its live status. Throws VAULT_NOT_FOUND. */
  async read({ vaultId, accountId }: VaultIdentity): Promise<Vault> {
    const [vault] = await this.database.query<Vault>(readVault, [vaultId, accountId]);
    return vault ?? notFound();
  }

  /** Throws VAULT_NOT_FOUND. */
  async assertKnown({ vaultId, accountId }: VaultIdentity): Promise<void> {
    if ((await this.database.query(findVault, [vaultId, accountId])).length === 0) notFound();
  }

  /** The vault key wrapped by the master key. Throws VAULT_NOT_FOUND. */
  async wrappedKey({ vaultId, accountId }: VaultIdentity): Promise<Buffer> {
    const [row] = await this.database.query<{ wrapped_key: Buffer }>(findKey, [vaultId, accountId]);
    return row ? row.wrapped_key : notFound();
  }

  /** Changes the given fields. Throws VAULT_NOT_FOUND or VAULT_NAME_TAKEN. */
  async update(
    tx: Queryable,
    { vaultId, accountId }: VaultIdentity,
    change: VaultChange,
  ): Promise<UpdatedVault> {
    const { name, description, public_file_sharing: isSharing } = change;
    const named = name === undefined ? [null, null] : [name, nameKey(name)];
    const described = [description !== undefined, description ?? null];
    const values = [vaultId, accountId, ...named, ...described, isSharing ?? null];
    const [vault] = await tx.query<UpdatedVault>(updateVault, values).catch(rejectTakenVaultName);
    return vault ?? notFound();
  }
}

function notFound(): never {
  throw new AppError('VAULT_NOT_FOUND');
}

const rejectTakenVaultName = rejectTakenName('vaults', 'VAULT_NAME_TAKEN');

const COUNTERS = 'ingot_count, storage_bytes, total_access_count, total_bandwidth_bytes';

const insertVault = statement(
  'vaults.insert-vault',
  `INSERT INTO vaults (id, account_id, name, folded_name, created_by_user_id) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING
   RETURNING ${epochSeconds('created_at')}`,
);

const insertKey = statement(
  'vaults.insert-vault-key',
  `INSERT INTO vault_keys (vault_id, wrapped_key) VALUES ($1, $2)`,
);

/** The newest first (VLT-05, VLT-06); one that is open is `sealed` here, too (VLT-07, VLT-08). */
const listVaults = statement(
  'vaults.list-vaults',
  `SELECT id AS vault_id, name, CASE status WHEN 'active' THEN 'sealed' ELSE status END AS status, ${COUNTERS},
          ${epochSeconds('created_at')}, created_at::text AS position
     FROM vaults v
    WHERE account_id = $1 AND status = $2
      AND ($3::timestamptz IS NULL OR (v.created_at, id) < ($3, $4))
    ORDER BY v.created_at DESC, id DESC LIMIT $5`,
);

/** VLT-09; `unsealed` while a session of it lives (VLT-10); unknown while it is being deleted (OPEN-12). */
const readVault = statement(
  'vaults.read-vault',
  `SELECT id AS vault_id, name, description, public_file_sharing, ${COUNTERS}, ${epochSeconds('created_at')},
          created_by_user_id, ${epochSeconds('last_unsealed_at')}, unseal_count,
          CASE WHEN EXISTS (SELECT 1 FROM vault_sessions s WHERE s.vault_id = v.id AND s.seal_epoch = v.seal_epoch AND s.expires_at > now())
               THEN 'unsealed' ELSE 'sealed' END AS status
     FROM vaults v WHERE id = $1 AND account_id = $2 AND status = 'active'`,
);

const ACTIVE_IN_ACCOUNT = `id = $1 AND account_id = $2 AND status = 'active'`;
const findVault = statement('vaults.find-vault', `SELECT id FROM vaults WHERE ${ACTIVE_IN_ACCOUNT}`);

// A vault that is being deleted has no key any more.
const findKey = statement(
  'vaults.find-vault-key',
  `SELECT k.wrapped_key FROM vault_keys k JOIN vaults v ON v.id = k.vault_id
    WHERE v.id = $1 AND v.account_id = $2`,
);

// `updated_at` never decreases, even when the clock does.
const updateVault = statement(
  'vaults.update-vault',
  `UPDATE vaults
      SET name = coalesce($3::text, name), folded_name = coalesce($4::text, folded_name),
          description = CASE WHEN $5::boolean THEN $6::text ELSE description END,
          public_file_sharing = coalesce($7::boolean, public_file_sharing),
          updated_at = greatest(now(), updated_at)
     FROM ${EXCLUSIVE_LOCK}
    WHERE ${ACTIVE_IN_ACCOUNT}
   RETURNING id AS vault_id, name, description, ${epochSeconds('updated_at')}`,
);
