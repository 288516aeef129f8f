import { Injectable } from '@nestjs/common';
import type { Actor } from '@vaultsvc/contracts';
import type { SparkStatus } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, readPosition, statement } from '@vaultsvc/database';
import { LOCK_SECONDS } from './burning/burn-statements.js';

/** An expired Spark stays listed for this time (AMB-07). */
export const EXPIRED_LISTED_HOURS = 24;

/** A part of a list. `cursor`: the position after which it begins. */
export interface SparkListing {
  readonly kindling?: string | undefined;
  readonly status?: 'active' | 'ash' | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface SparkRow {
  id: string;
  account_id: string;
  content_type: string;
  filename: string | null;
  label: string | null;
  creator_id: string | null;
  creator: Actor | null;
  status: SparkStatus;
  size_bytes: number;
  ttl_minutes: number;
  created_at: number;
  expires_at: number;
  burned_at: number | null;
  time_remaining: number;
  kindling: string | null;
  link_id: string | null;
  link_kid: string | null;
  link_sealed_code: Buffer | null;
  position: string;
}

/** Lists Sparks. Their statuses are computed with the database's clock at the time of the query (SPK-23). */
@Injectable()
export class SparkListRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, one more than the limit: all Sparks of a group, whatever their account (SPK-21), or those of the account. */
  async list(accountId: string, { kindling, status, limit, cursor }: SparkListing): Promise<SparkRow[]> {
    const [createdAt = null, id = null] = readPosition(cursor, 2) ?? [];
    const [query, scope] = kindling === undefined ? [listOfAccount, accountId] : [listOfKindling, kindling];
    return this.database.query<SparkRow>(query, [scope, createdAt, id, status ?? null, limit + 1]);
  }
}

const columns = `
  s.id, s.account_id, s.content_type, s.filename, s.label, s.creator_id, s.creator, s.size_bytes, s.ttl_minutes, s.kindling,
  CASE WHEN s.status = 'ash' THEN 'ash'
       WHEN s.expires_at <= now() THEN 'expired'
       WHEN s.locked_at > now() - interval '${LOCK_SECONDS} seconds' THEN 'reading'
       ELSE 'active' END AS status,
  ${epochSeconds('s.created_at')},
  ${epochSeconds('s.expires_at')},
  ${epochSeconds('s.burned_at')},
  greatest(0, ceil(extract(epoch FROM s.expires_at - now())))::bigint AS time_remaining,
  to_char(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') AS position, l.id AS link_id, l.kid AS link_kid, l.sealed_code AS link_sealed_code`;

/** Ash is listed until its expiry, an unread Spark a day longer. `active` includes Sparks under a read lock. */
const LISTED = `
  (s.expires_at > now() OR (s.status <> 'ash' AND s.expires_at > now() - interval '${EXPIRED_LISTED_HOURS} hours'))
  AND ($4::text IS NULL OR CASE $4 WHEN 'ash' THEN s.status = 'ash' ELSE s.status <> 'ash' AND s.expires_at > now() END)
  AND ($2::timestamptz IS NULL OR (s.created_at, s.id) < ($2, $3))`;

const listBy = (scope: string) => `
  SELECT ${columns}
    FROM sparks s LEFT JOIN sparklinks l ON l.asset_id = s.id AND l.is_managed AND l.status <> 'revoked'
   WHERE ${scope} AND ${LISTED}
   ORDER BY s.created_at DESC, s.id DESC LIMIT $5`;

export const listOfAccount = statement('sparks.list-of-account', listBy('s.account_id = $1'));
const listOfKindling = statement('sparks.list-of-kindling', listBy('s.kindling = $1'));
