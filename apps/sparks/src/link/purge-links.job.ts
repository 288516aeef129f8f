import { Injectable } from '@nestjs/common';
import type { LinkType } from '@vaultsvc/contracts/sparks';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/**
 * Days after the end of a link. A link of an ingot is listed for 30 days. A link of a Spark is deleted with its Spark;
 * the 3 days are for one that was created during that deletion.
 */
const ENDED_LINK_DAYS: Readonly<Record<LinkType, number>> = { ingot: 30, spark: 3 };

/** Deletes links that ended long ago. */
@Injectable()
export class PurgeLinks {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const [type, days] of Object.entries(ENDED_LINK_DAYS))
      await runInBatches(this.database, purgeLinks, [type, days]);
  }
}

// `least` ignores NULL: a link has at most one of the first two times, and a durable link has no expiry.
export const purgeLinks = statement(
  'sparks.purge-links',
  `DELETE FROM sparklinks WHERE id IN (
     SELECT id FROM sparklinks
      WHERE link_type = $1 AND least(consumed_at, revoked_at, expires_at) <= now() - make_interval(days => $2)
      ORDER BY least(consumed_at, revoked_at, expires_at) LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
