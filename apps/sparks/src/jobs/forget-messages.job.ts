import { Injectable } from '@nestjs/common';
import { Database, inBatches, statement } from '@vaultsvc/database';

/** Forgets messages that are of no use any more, sent or not, and how many there were in hours that are over. */
@Injectable()
export class ForgetMessages {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const forget of [forgetMessages, forgetCounts]) await inBatches(this.database, forget);
  }
}

const forgetMessages = statement(
  'sparks.forget-messages',
  `DELETE FROM link_messages WHERE id IN (
     SELECT id FROM link_messages WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

// A minute more: whoever counts at the turn of the hour has read the clock before.
const forgetCounts = statement(
  'sparks.forget-message-counts',
  `DELETE FROM message_counts WHERE (hour, account_id, channel) IN (
     SELECT hour, account_id, channel FROM message_counts WHERE hour <= now() - interval '61 minutes'
      ORDER BY hour LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
