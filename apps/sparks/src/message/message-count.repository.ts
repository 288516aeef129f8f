import { Injectable } from '@nestjs/common';
import { LimitReached, type IdentityType } from '@vaultsvc/contracts';
import { statement, type Transaction } from '@vaultsvc/database';
import { SparksConfig } from '../config.js';

/** The account and the channel that a message counts for. */
export interface CountedMessage {
  readonly accountId: string;
  readonly channel: IdentityType;
}

/** The budget of a message: mails, texts and calls, or any other channel. */
export type MessageBudget = IdentityType | 'other';

/** Messages of an account by budget. */
export type MessageCounts = Readonly<Record<MessageBudget, number>>;

/** Counted in this order, so that two transactions cannot deadlock. */
const BUDGETS: readonly MessageBudget[] = ['email', 'phone', 'other'];

/**
 * Counts the messages of each account per clock hour against its budgets. An API key can have messages sent to any address
 * and number, so neither the rate limit nor the limit of codes per link is enough.
 */
@Injectable()
export class MessageCountRepository {
  constructor(private readonly config: SparksConfig) {}

  /** Counts messages of one account. Throws as `draw`. */
  async add(tx: Transaction, messages: readonly CountedMessage[]): Promise<void> {
    const [first] = messages;
    if (!first) return;
    const countOf = (type: IdentityType) => messages.filter(({ channel }) => channel === type).length;
    await this.draw(tx, first.accountId, { email: countOf('email'), phone: countOf('phone'), other: 0 });
  }

  /**
   * Counts messages, all or none. The row lock makes other transactions of the account wait until the commit. Throws
   * MESSAGES_EXHAUSTED; roll the transaction back then.
   */
  async draw(tx: Transaction, accountId: string, counts: MessageCounts): Promise<void> {
    for (const budget of BUDGETS)
      if (counts[budget] > 0) await this.#add(tx, accountId, budget, counts[budget]);
  }

  /** Throws as `add` would for one more message, and counts none. */
  async assertWithinLimit(tx: Transaction, { accountId, channel }: CountedMessage): Promise<void> {
    const limit = this.#limitOf(channel);
    const [row] = await tx.query<ExhaustedRow>(findExhausted, [accountId, channel, limit]);
    if (row) throw new LimitReached('MESSAGES_EXHAUSTED', { limit, used: limit, resets_at: row.resets_at });
  }

  async #add(tx: Transaction, accountId: string, budget: MessageBudget, count: number): Promise<void> {
    const limit = this.#limitOf(budget);
    const [row] = await tx.query<CountRow>(countMessages, [accountId, budget, count, limit]);
    const { is_counted, used, resets_at } = row as CountRow;
    if (!is_counted)
      throw new LimitReached('MESSAGES_EXHAUSTED', { limit, used: Math.min(used, limit), resets_at });
  }

  #limitOf(budget: MessageBudget): number {
    const { MAILS_PER_HOUR, TEXTS_PER_HOUR, OTHER_MESSAGES_PER_HOUR } = this.config;
    return { email: MAILS_PER_HOUR, phone: TEXTS_PER_HOUR, other: OTHER_MESSAGES_PER_HOUR }[budget];
  }
}

interface ExhaustedRow {
  resets_at: number;
}

interface CountRow extends ExhaustedRow {
  is_counted: boolean;
  /** Before these messages; without what a concurrent transaction has just counted. */
  used: number;
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
          coalesce((SELECT count FROM message_counts c
                     WHERE c.hour = clock.hour AND c.account_id = $1 AND c.channel = $2), 0) AS used,
          extract(epoch FROM hour + interval '1 hour')::bigint AS resets_at
     FROM clock`,
);

const findExhausted = statement(
  'sparks.find-exhausted-message-count',
  `SELECT extract(epoch FROM hour + interval '1 hour')::bigint AS resets_at FROM message_counts
    WHERE hour = date_trunc('hour', clock_timestamp(), 'UTC') AND account_id = $1 AND channel = $2 AND count >= $3::integer`,
);
