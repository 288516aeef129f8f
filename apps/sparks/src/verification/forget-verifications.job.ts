import { Inject, Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

const BATCH_MAX = 500;

/** Forgets codes and tokens that open nothing any more, and with them who asked for them. */
@Injectable()
export class ForgetVerifications {
  readonly everySeconds = 60;

  constructor(@Inject(Database) private readonly database: Database) {}

  async run(): Promise<void> {
    while ((await this.database.query(forget, [BATCH_MAX])).length === BATCH_MAX);
  }
}

const forget = statement(
  'sparks.forget-verifications',
  `DELETE FROM verifications WHERE id IN (
     SELECT id FROM verifications
      WHERE expires_at <= now() AND (token_expires_at IS NULL OR token_expires_at <= now())
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
