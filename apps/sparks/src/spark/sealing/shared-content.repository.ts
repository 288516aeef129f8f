import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement, type Queryable } from '@vaultsvc/database';

/** A content that Sparks of a send open, still encrypted. */
export interface StoredContent {
  readonly group_id: string;
  readonly ciphertext: Buffer;
}

/**
 * Contents that the Sparks of a send share (ADR 38). Whatever ends a Spark before its expiry, such as a burn, a deletion or a
 * recall, releases its content in the same transaction, after the Spark. The row lock of the content decides which Spark is
 * the last one, and the ciphertext goes with that.
 */
@Injectable()
export class SharedContentRepository {
  constructor(private readonly database: Database) {}

  /** Undefined once no Spark is left, or the content has expired. */
  async find(id: string, accountId: string): Promise<StoredContent | undefined> {
    const [row] = await this.database.query<StoredContent>(findContent, [id, accountId]);
    return row;
  }

  /** Releases the contents of ended Sparks, one for each Spark; null for a Spark with a content of its own. */
  async release(tx: Queryable, contentIds: readonly (string | null)[]): Promise<void> {
    const ended = contentIds.filter((id) => id !== null);
    if (ended.length > 0) await tx.query(releaseContents, [ended]);
  }

  /** Deletes expired contents. Their Sparks expire at the same time. Any number of instances may run it. */
  async purgeExpired(): Promise<void> {
    await runInBatches(this.database, purgeContents);
  }
}

/** SQL that releases the contents of ended Sparks: `ended` has a row with `content_id` for each of them. */
export const releaseContentsOf = (ended: string) => `
  UPDATE shared_contents c
     SET remaining = c.remaining - least(e.count, c.remaining),
         ciphertext = CASE WHEN c.remaining > e.count THEN c.ciphertext END
    FROM (SELECT content_id, count(*)::int AS count FROM ${ended} GROUP BY content_id) AS e
   WHERE c.id = e.content_id`;

const releaseContents = statement(
  'sparks.release-contents',
  releaseContentsOf('unnest($1::uuid[]) AS ended (content_id)'),
);

const findContent = statement(
  'sparks.find-shared-content',
  `SELECT group_id, ciphertext FROM shared_contents
    WHERE id = $1 AND account_id = $2 AND ciphertext IS NOT NULL AND expires_at > clock_timestamp()`,
);

const purgeContents = statement(
  'sparks.purge-shared-contents',
  `DELETE FROM shared_contents WHERE id IN (
     SELECT id FROM shared_contents WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
