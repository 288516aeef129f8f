import { Inject, Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

const BATCH_MAX = 500;

/** Forgets messages that are of no use any more, sent or not. */
@Injectable()
export class ForgetMessages {
  readonly everySeconds = 60;

  constructor(@Inject(Database) private readonly database: Database) {}

  async run(): Promise<void> {
    while ((await this.database.query(forgetMessages, [BATCH_MAX])).length === BATCH_MAX);
  }
}

const forgetMessages = statement(
  'sparks.forget-messages',
  `DELETE FROM link_messages WHERE id IN (
     SELECT id FROM link_messages WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
