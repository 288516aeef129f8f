import { Inject, Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '@vaultsvc/database';

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
    await this.#forget(forgetIngotLinks);
    await this.#forget(forgetStrayLinks);
  }

  async #forget(batch: Statement): Promise<void> {
    while ((await this.database.query(batch, [BATCH_MAX])).length === BATCH_MAX);
  }
}

const forgetBy = (scope: string) => `
  DELETE FROM sparklinks WHERE id IN (
    SELECT id FROM sparklinks WHERE ${scope} LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id`;

// `least` passes over ends that did not come: a durable link has but one.
const forgetIngotLinks = statement(
  'sparks.forget-ingot-links',
  forgetBy(
    `link_type = 'ingot' AND least(consumed_at, revoked_at, expires_at) <= now() - interval '${LISTED_DAYS} days'`,
  ),
);

const forgetStrayLinks = statement(
  'sparks.forget-stray-links',
  forgetBy(`link_type = 'spark' AND expires_at <= now() - interval '${LEFT_DAYS} days'`),
);
