import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';

/** The end of a chain that the log does not have yet. */
export interface UnloggedHead {
  readonly accountId: string;
  readonly seq: number;
  readonly hash: Buffer;
  readonly pseudonymSalt: Buffer;
}

/** A head that was staged for the log. */
export interface StagedHead {
  readonly accountId: string;
  readonly seq: number;
  readonly index: number;
  readonly leaf: Buffer;
}

/** The heads that are in the log. */
@Injectable()
export class LogHeadsRepository {
  /** The heads that have advanced since they were last logged, at most this many. */
  unlogged(tx: Queryable, limit: number): Promise<UnloggedHead[]> {
    return tx.query<UnloggedHead>(selectUnlogged, [limit]);
  }

  async record(tx: Queryable, heads: readonly StagedHead[]): Promise<void> {
    await tx.query(insertLogged, [
      heads.map(({ accountId }) => accountId),
      heads.map(({ seq }) => seq),
      heads.map(({ index }) => index),
      heads.map(({ leaf }) => leaf),
    ]);
  }
}

const selectUnlogged = statement(
  'audit-log.select-unlogged-heads',
  `SELECT h.account_id AS "accountId", h.seq, h.hash, h.pseudonym_salt AS "pseudonymSalt"
     FROM audit_heads h
    WHERE h.seq > coalesce((SELECT max(l.seq) FROM audit_logged_heads l WHERE l.account_id = h.account_id), 0)
    ORDER BY h.account_id LIMIT $1`,
);

const insertLogged = statement(
  'audit-log.insert-logged-heads',
  `INSERT INTO audit_logged_heads (account_id, seq, leaf_index, leaf)
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[])`,
);
