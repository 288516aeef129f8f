import { Injectable } from '@nestjs/common';
import type { ApiKeyStatus } from '@vaultsvc/contracts/auth';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';

export interface ApiKeyInsert {
  readonly id: string;
  readonly accountId: string;
  readonly createdBy: string;
  readonly name: string;
  readonly lookup: Buffer;
  readonly preview: string;
  /** null: never. */
  readonly expiresInDays: number | null;
}

/** Epoch seconds by the database's clock. */
export interface ApiKeyTimes {
  readonly created_at: number;
  readonly expires_at: number | null;
}

export interface ApiKeyRow extends ApiKeyTimes {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
  readonly status: ApiKeyStatus;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
  /** `created_at` with microseconds: the sort key of the list. */
  readonly position: string;
}

export interface RevokedApiKeyRow {
  readonly name: string;
  readonly lookup: Buffer;
  readonly revoked_at: number;
  /** The sum of the versions of key and account, as in the cached record. */
  readonly version: number;
}

@Injectable()
export class ApiKeyRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Queryable, key: ApiKeyInsert): Promise<ApiKeyTimes> {
    const values = [
      key.id,
      key.accountId,
      key.createdBy,
      key.name,
      key.lookup,
      key.preview,
      key.expiresInDays,
    ];
    const [times] = await tx.query<ApiKeyTimes>(insertKey, values);
    if (!times) throw new Error('the insert of an API key returned no row');
    return times;
  }

  /** Newest first, one row more than the limit. */
  list(accountId: string, limit: number, after: readonly string[] | null): Promise<ApiKeyRow[]> {
    const [createdAt, id] = after ?? ['infinity', ''];
    return this.database.query<ApiKeyRow>(listKeys, [accountId, createdAt, id, limit + 1]);
  }

  /** The key with the clock of the database in epoch seconds; undefined if the account has no such key. */
  async find(
    accountId: string,
    id: string,
  ): Promise<(Omit<ApiKeyRow, 'position'> & { readonly now: number }) | undefined> {
    const [row] = await this.database.query<ApiKeyRow & { now: number }>(findKey, [accountId, id]);
    return row;
  }

  /** Revokes an active key; undefined if it is revoked already or the account has no such key. */
  async revoke(tx: Queryable, accountId: string, id: string): Promise<RevokedApiKeyRow | undefined> {
    const [row] = await tx.query<RevokedApiKeyRow>(revokeKey, [accountId, id]);
    return row;
  }

  /** A key that `revoke` has found revoked; undefined if the account has no such key. */
  async findRevoked(tx: Queryable, accountId: string, id: string): Promise<RevokedApiKeyRow | undefined> {
    const [row] = await tx.query<RevokedApiKeyRow>(findRevokedKey, [accountId, id]);
    return row;
  }

  /** Moves the time of last use forward only: instances may write the same uses in any order. */
  async noteUses(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.database.query(noteUses, [[...uses.keys()], [...uses.values()]]);
  }
}

// Days of 86,400 seconds, not calendar days: the session's time zone must not shift an expiry (KEY-04).
const insertKey = statement(
  'auth.insert-api-key',
  `INSERT INTO api_keys (id, account_id, created_by, name, lookup, preview, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7::int * 86400))
   RETURNING ${epochSeconds('created_at')},
             ${epochSeconds('expires_at')}`,
);

const COLUMNS = `id, name, preview,
          CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END AS status,
          ${epochSeconds('created_at')},
          ${epochSeconds('last_used_at')},
          ${epochSeconds('expires_at')},
          ${epochSeconds('revoked_at')}`;

const findKey = statement(
  'auth.find-api-key',
  `SELECT ${COLUMNS}, ${epochSeconds('now()', 'now')} FROM api_keys WHERE account_id = $1 AND id = $2`,
);

const listKeys = statement(
  'auth.list-api-keys',
  `SELECT ${COLUMNS},
          to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS position
     FROM api_keys
    WHERE account_id = $1 AND (created_at, id) < ($2::timestamptz, $3::text)
    ORDER BY api_keys.created_at DESC, id DESC
    LIMIT $4`,
);

const revokeKey = statement(
  'auth.revoke-api-key',
  `UPDATE api_keys k SET revoked_at = now(), version = k.version + 1
     FROM accounts a
    WHERE k.account_id = $1 AND k.id = $2 AND k.revoked_at IS NULL AND a.id = k.account_id
   RETURNING k.name, k.lookup, ${epochSeconds('k.revoked_at')}, k.version + a.version AS version`,
);

const findRevokedKey = statement(
  'auth.find-revoked-api-key',
  `SELECT k.name, k.lookup, ${epochSeconds('k.revoked_at')}, k.version + a.version AS version
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE k.account_id = $1 AND k.id = $2`,
);

// Instances write the same uses concurrently; locking rows in one order prevents deadlocks.
const noteUses = statement(
  'auth.note-api-key-uses',
  `WITH later AS (
     SELECT k.id, used.at
       FROM api_keys k JOIN unnest($1::text[], $2::bigint[]) AS used (id, at) ON k.id = used.id
      WHERE k.last_used_at IS NULL OR k.last_used_at < to_timestamp(used.at)
      ORDER BY k.id FOR UPDATE OF k)
   UPDATE api_keys k SET last_used_at = to_timestamp(later.at) FROM later WHERE k.id = later.id`,
);
