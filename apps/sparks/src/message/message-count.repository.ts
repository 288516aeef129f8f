import { Injectable } from '@nestjs/common';
import { LimitReached, type IdentityType } from '@vaultsvc/contracts';
import { statement, type Transaction } from '@vaultsvc/database';
import { SparksConfig } from '../config.js';

/** The account and the channel that a message counts for. */
export interface CountedMessage {
  readonly accountId: string;
  readonly channel: IdentityType;
}

/** Counted in this order, so that two transactions cannot deadlock. */
const CHANNELS: readonly IdentityType[] = ['email', 'phone'];

/**
 * Counts the messages of each account per clock hour, e-mails and text messages apart. An API key can have messages sent
 * to any address and number, so neither the rate limit nor the limit of codes per link is enough.
 */
@Injectable()
export class MessageCountRepository {
  constructor(private readonly config: SparksConfig) {}

  /**
   * Counts messages of one account, all or none. The row lock makes other transactions of the account wait until the
   * commit. Throws MESSAGES_EXHAUSTED; roll the transaction back then.
   */
  async add(tx: Transaction, messages: readonly CountedMessage[]): Promise<void> {
    for (const channel of CHANNELS) {
      const [first, ...more] = messages.filter((message) => message.channel === channel);
      if (first) await this.#add(tx, first, 1 + more.length);
    }
  }

  /** Throws as `add` would for one more message, and counts none. */
  async assertWithinLimit(tx: Transaction, { accountId, channel }: CountedMessage): Promise<void> {
    const limit = this.#limitOf(channel);
    const [row] = await tx.query<CountRow>(findExhausted, [accountId, channel, limit]);
    if (row) throw new LimitReached('MESSAGES_EXHAUSTED', { limit, used: limit, resets_at: row.resets_at });
  }

  async #add(tx: Transaction, { accountId, channel }: CountedMessage, count: number): Promise<void> {
    const limit = this.#limitOf(channel);
    const [row] = await tx.query<CountRow>(countMessages, [accountId, channel, count, limit]);
    const { is_counted, resets_at } = row as CountRow;
    if (!is_counted) throw new LimitReached('MESSAGES_EXHAUSTED', { limit, used: limit, resets_at });
  }

  #limitOf(channel: IdentityType): number {
    return channel === 'email' ? this.config.LINK_MAILS_PER_HOUR : this.config.LINK_TEXTS_PER_HOUR;
  }
}

interface CountRow {
  is_counted: boolean;
  resets_at: number;
}

/** Concurrent statements wait for the row lock and then add to the committed count. */
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

const findExhausted = statement(
  'sparks.find-exhausted-message-count',
  `SELECT extract(epoch FROM hour + interval '1 hour')::bigint AS resets_at FROM message_counts
    WHERE hour = date_trunc('hour', clock_timestamp(), 'UTC') AND account_id = $1 AND channel = $2 AND count >= $3::integer`,
);
