import { Injectable } from '@nestjs/common';
import { Database, inBatches, statement } from '@vaultsvc/database';

/** Forgets codes and tokens that open nothing any more, and with them who asked for them. */
@Injectable()
export class ForgetVerifications {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await inBatches(this.database, forget);
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
