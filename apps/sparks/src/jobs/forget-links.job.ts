import { Inject, Injectable } from '@nestjs/common';
import type { LinkType } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';

const BATCH_MAX = 500;

/** Days after its end for which a link of an ingot is listed. */
const LISTED_DAYS = 30;

/** Days after its end by which a link of a Spark has left with its Spark; one that has not was made while it went. */
const LEFT_DAYS = 3;

/** Forgets links that ended long ago. */
@Injectable()
export class ForgetLinks {
  readonly everySeconds = 3_600;

  constructor(@Inject(Database) private readonly database: Database) {}

  async run(): Promise<void> {
    await this.#forget('ingot', LISTED_DAYS);
    await this.#forget('spark', LEFT_DAYS);
  }

  async #forget(type: LinkType, days: number): Promise<void> {
    while ((await this.database.query(forgetEnded, [type, days, BATCH_MAX])).length === BATCH_MAX);
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
