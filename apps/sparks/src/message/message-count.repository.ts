import { Injectable } from '@nestjs/common';
import { AppError, type IdentityType } from '@vaultsvc/contracts';
import { statement, type Transaction } from '@vaultsvc/database';
import { SparksConfig } from '../config.js';

/** What counts towards the limits. */
export interface CountedMessage {
  readonly accountId: string;
  readonly channel: IdentityType;
}

/** In this order always, so that two transactions never wait for each other. */
const CHANNELS: readonly IdentityType[] = ['email', 'phone'];

/**
 * How many messages each account causes in an hour of the clock, mails and texts apart. Whoever has a key may have them
 * sent to any address and number, so neither the calls of a minute nor the codes of one link are limit enough.
 */
@Injectable()
export class MessageCountRepository {
  constructor(private readonly config: SparksConfig) {}

  /**
   * Counts messages of one account, all or none, and keeps other transactions from counting its own until the commit.
   * Throws MESSAGES_EXHAUSTED with `resets_at`, whereupon the transaction is to be rolled back.
   */
  async add(tx: Transaction, messages: readonly CountedMessage[]): Promise<void> {
    for (const channel of CHANNELS) {
      const [first, ...more] = messages.filter((message) => message.channel === channel);
      if (first) await this.#add(tx, first, 1 + more.length);
    }
  }

  async #add(tx: Transaction, { accountId, channel }: CountedMessage, count: number): Promise<void> {
    const values = [accountId, channel, count, this.#limitOf(channel)];
    const [row] = await tx.query<{ is_counted: boolean; resets_at: number }>(countMessages, values);
    if (!row?.is_counted) throw new AppError('MESSAGES_EXHAUSTED', { resets_at: row?.resets_at });
  }

  #limitOf(channel: IdentityType): number {
    return channel === 'email' ? this.config.LINK_MAILS_PER_HOUR : this.config.LINK_TEXTS_PER_HOUR;
  }
}

/** Of many at once each waits for the one before and counts on from what it has left. */
const countMessages = statement(
  'sparks.count-messages',
  `WITH clock AS MATERIALIZED (SELECT date_trunc('hour', clock_timestamp(), 'UTC') AS hour),
   counted AS (
     INSERT INTO message_counts AS c (hour, account_id, channel, count)
     SELECT hour, $1, $2, $3::integer FROM clock WHERE $3::integer <= $4::integer
     ON CONFLICT (hour, account_id, channel) DO UPDATE SET count = c.count + excluded.count
      WHERE c.count + excluded.count <= $4::integer
     RETURNING 1)
   SELECT EXISTS (SELECT FROM counted) AS is_counted,
          extract(epoch FROM hour + interval '1 hour')::bigint AS resets_at
     FROM clock`,
);
