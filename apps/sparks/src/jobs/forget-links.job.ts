import { Injectable } from '@nestjs/common';
import type { LinkType } from '@vaultsvc/contracts/sparks';
import { Database, inBatches, statement } from '@vaultsvc/database';

/**
 * Days after its end: a link of an ingot is listed for as long; one of a Spark has left with its Spark by then, and was
 * made while that went if it has not.
 */
const DAYS: Readonly<Record<LinkType, number>> = { ingot: 30, spark: 3 };

/** Forgets links that ended long ago. */
@Injectable()
export class ForgetLinks {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const [type, days] of Object.entries(DAYS))
      await inBatches(this.database, forgetEnded, [type, days]);
  }
}

// `least` passes over ends that did not come: a durable link has but one.
export const forgetEnded = statement(
  'sparks.forget-links',
  `DELETE FROM sparklinks WHERE id IN (
     SELECT id FROM sparklinks
      WHERE link_type = $1 AND least(consumed_at, revoked_at, expires_at) <= now() - make_interval(days => $2)
      ORDER BY least(consumed_at, revoked_at, expires_at) LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
