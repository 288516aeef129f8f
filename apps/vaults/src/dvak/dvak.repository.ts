import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Dvak, DvakQuery } from '@vaultsvc/contracts/vaults';
import {
  Database,
  epochSeconds,
  type Page,
  type Queryable,
  namedStatement,
  readPosition,
  statement,
  toPage,
} from '@vaultsvc/database';
import type { DvakTerms, VaultIdentity } from '../keys/vault-key.js';

export interface DvakInsert extends VaultIdentity {
  readonly terms: DvakTerms;
  readonly authorizedUserEmail: string | null;
  readonly nhiDescription: string | null;
  readonly last4: string;
  readonly lookup: Buffer;
  readonly wrappedKey: Buffer;
}

/** An active delegated key. */
export interface ActiveDvak {
  readonly vaultId: string;
  readonly terms: DvakTerms;
  readonly wrappedKey: Buffer;
}

/**
 * Delegated keys. Rows hold no key: a key is found by its hash, and only the key itself unwraps the row's vault key.
 */
@Injectable()
export class DvakRepository {
  constructor(private readonly database: Database) {}

  /** The creation time in epoch seconds, or undefined when another key of the vault ends in the same letters. */
  async insert(tx: Queryable, dvak: DvakInsert): Promise<number | undefined> {
    const values = insertDvak.valuesOf({ ...dvak, ...dvak.terms });
    const [row] = await tx.query<{ created_at: number }>(insertDvak, values);
    return row?.created_at;
  }

  /** Newest first. */
  async list(vaultId: string, { status, limit, cursor }: DvakQuery): Promise<Page<Dvak>> {
    const [createdAt = null, id = null] = readPosition(cursor, 2) ?? [];
    const values = [vaultId, status ?? null, createdAt, id, limit + 1];
    const rows = await this.database.query<Dvak & Position>(listDvaks, values);
    return toPage(rows, limit, (row) => [row.position, row.id]);
  }

  /** An active key of the account, of any vault. */
  async findActive(lookup: Buffer, accountId: string): Promise<ActiveDvak | undefined> {
    const [row] = await this.database.query<DvakTerms & ActiveRow>(findActive, [lookup, accountId]);
    return row && { vaultId: row.vault_id, terms: row, wrappedKey: row.wrapped_key };
  }

  /**
   * Counts a use and locks the key until the commit. Throws DVAK_INVALID when the key was revoked since it was found.
   */
  async use(tx: Queryable, dvakId: string): Promise<void> {
    const used = await tx.query(countUse, [dvakId]);
    if (used.length === 0) throw new AppError('DVAK_INVALID');
  }

  /** The status of the key with these last letters; undefined without such a key. */
  async statusOf(on: Queryable, vaultId: string, last4: string): Promise<string | undefined> {
    const [row] = await on.query<{ status: string }>(findStatus, [vaultId, last4]);
    return row?.status;
  }
}

interface Position {
  readonly id: string;
  readonly position: string;
}

interface ActiveRow {
  readonly vault_id: string;
  readonly wrapped_key: Buffer;
}

const insertDvak = namedStatement<Omit<DvakInsert, 'terms'> & DvakTerms>(
  'vaults.insert-dvak',
  (v) => `
   INSERT INTO dvaks (id, vault_id, account_id, dvak_type, authorized_user_id, authorized_user_email, nhi_description,
                      access_level, last4, lookup, wrapped_key)
   VALUES (${v.dvakId}, ${v.vaultId}, ${v.accountId}, ${v.dvakType}, ${v.authorizedUserId}, ${v.authorizedUserEmail},
           ${v.nhiDescription}, ${v.accessLevel}, ${v.last4}, ${v.lookup}, ${v.wrappedKey})
   ON CONFLICT (vault_id, last4) DO NOTHING RETURNING ${epochSeconds('created_at')}`,
);

const listDvaks = statement(
  'vaults.list-dvaks',
  `SELECT dvak_type, authorized_user_id, authorized_user_email, nhi_description, system_purpose, access_level,
          last4 AS last_4_chars, status, ${epochSeconds('created_at')}, ${epochSeconds('last_used_at')}, use_count,
          id, created_at::text AS position
     FROM dvaks d
    WHERE vault_id = $1 AND ($2::text IS NULL OR status = $2)
      AND ($3::timestamptz IS NULL OR (d.created_at, id) < ($3, $4))
    ORDER BY d.created_at DESC, id DESC LIMIT $5`,
);

const findActive = statement(
  'vaults.find-active-dvak',
  `SELECT vault_id, wrapped_key, id AS "dvakId", dvak_type AS "dvakType",
          authorized_user_id AS "authorizedUserId", access_level AS "accessLevel"
     FROM dvaks WHERE lookup = $1 AND account_id = $2 AND status = 'active' AND dvak_type <> 'system'`,
);

const countUse = statement(
  'vaults.count-dvak-use',
  `UPDATE dvaks SET use_count = use_count + 1, last_used_at = now() WHERE id = $1 AND status = 'active' RETURNING id`,
);

const findStatus = statement(
  'vaults.find-dvak-status',
  `SELECT status FROM dvaks WHERE vault_id = $1 AND last4 = $2`,
);
