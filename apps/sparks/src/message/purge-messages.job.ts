import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/** Deletes expired messages, sent or not, and the message counts of past hours. */
@Injectable()
export class PurgeMessages {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeMessages);
    await runInBatches(this.database, purgeMessageCounts);
  }
}

const purgeMessages = statement(
  'sparks.purge-messages',
  `DELETE FROM link_messages WHERE id IN (
     SELECT id FROM link_messages WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

// A minute more than the hour: a transaction that started before the hour ended may still count for it.
const purgeMessageCounts = statement(
  'sparks.purge-message-counts',
  `DELETE FROM message_counts WHERE (hour, account_id, channel) IN (
     SELECT hour, account_id, channel FROM message_counts WHERE hour <= now() - interval '61 minutes'
      ORDER BY hour LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
