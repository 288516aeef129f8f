import { Inject, Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

const BATCH_MAX = 500;

/** Days for which a used or expired ISTK is told from an unknown one (OPEN-50). */
const REMEMBERED_DAYS = 30;

/** Wipes the wraps of expired ISTKs, and forgets them after 30 days. Any number of copies may. */
@Injectable()
export class ForgetIstks {
  readonly everySeconds = 60;

  constructor(@Inject(Database) private readonly database: Database) {}

  async run(): Promise<void> {
    for (const step of [wipeExpired, forgetExpired])
      while ((await this.database.query(step, [BATCH_MAX])).length === BATCH_MAX);
  }
}

const wipeExpired = statement(
  'forge.wipe-expired-istks',
  `UPDATE istks SET wrapped_key = NULL WHERE lookup IN (
     SELECT lookup FROM istks WHERE wrapped_key IS NOT NULL AND expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING ingot_id`,
);

const forgetExpired = statement(
  'forge.forget-expired-istks',
  `DELETE FROM istks WHERE lookup IN (
     SELECT lookup FROM istks WHERE expires_at <= now() - interval '${REMEMBERED_DAYS} days'
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING ingot_id`,
);
