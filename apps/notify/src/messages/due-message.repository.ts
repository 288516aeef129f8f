import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import type { QueueChannel } from './configured-channels.js';
import type { ClaimedMessage } from './message.repository.js';

/** The order in which a channel's places are given: codes, for which a visitor waits; then what people asked for; then sends. */
export const priorities = { code: 0, personal: 1, notification: 2 } as const;

export type Priority = (typeof priorities)[keyof typeof priorities];

/** The messages of one priority in a channel. */
export interface MessageClass {
  readonly channel: QueueChannel;
  readonly priority: Priority;
}

/** How far a search for an account has come. */
export interface AccountSearch {
  readonly accountId: string;
  /** Whether it has a due message. False: the search goes on after it. */
  readonly isFound: boolean;
}

/** The lease of a message, longer than any attempt takes. After it another instance sends the message of a dead one. */
const CLAIM_SECONDS = 60;
/** Accounts whose first message one statement looks at. */
const SEARCHED_BATCH = 200;
/** Messages that one statement postpones. */
const POSTPONED_BATCH = 1_000;

/** Claims due messages by account, by the database's clock, so that no account's messages are behind those of another (ADR 37). */
@Injectable()
export class DueMessageRepository {
  constructor(private readonly database: Database) {}

  /**
   * Finds an account with a due message, in the order of ids after `after`. Its cost depends on the number of accounts with
   * open messages, not on the number of messages. Undefined: none is left after it.
   */
  async searchAccount(
    { channel, priority }: MessageClass,
    after: string,
    except: readonly string[],
  ): Promise<AccountSearch | undefined> {
    const values = [channel, priority, after, except];
    const [search] = await this.database.query<AccountSearch>(searchAccount, values);
    return search;
  }

  /** Leases the oldest due message of the first of these accounts that has one. */
  async claim(
    { channel, priority }: MessageClass,
    accounts: readonly string[],
  ): Promise<ClaimedMessage | undefined> {
    const [message] = await this.database.query<ClaimedMessage>(claim, [channel, priority, accounts]);
    return message;
  }

  /** Milliseconds until the next message that is not due yet becomes so; undefined if there is none. */
  async nextDueMs(channel: QueueChannel): Promise<number | undefined> {
    const [row] = await this.database.query<{ ms: number | null }>(nextDue, [channel]);
    return row?.ms ?? undefined;
  }

  /** Lets the due notifications of an account wait, at most 1,000. They were not tried. */
  async postponeAccount(channel: QueueChannel, accountId: string, seconds: number): Promise<void> {
    await this.database.query(postponeAccount, [channel, accountId, seconds]);
  }
}

/** As in the index `messages_by_account`. */
const PRIORITY = `(CASE kind WHEN 'link_code' THEN 0 WHEN 'notification' THEN 2 ELSE 1 END)`;
const IN_CLASS = `closed_at IS NULL AND channel = $1 AND ${PRIORITY} = $2`;

const firstAfter = (account: string) => `
  SELECT account_id, next_attempt_at FROM messages
   WHERE ${IN_CLASS} AND account_id > ${account} ORDER BY account_id, next_attempt_at LIMIT 1`;

// A loose index scan: one descent for each account. `closed_at IS NULL` and the order make a leased message the account's last.
export const searchAccount = statement(
  'notify.search-account',
  `WITH RECURSIVE account AS (
     (SELECT *, 1 AS number FROM (${firstAfter('$3::text')}) AS first)
     UNION ALL
     SELECT next.*, account.number + 1 FROM account, LATERAL (${firstAfter('account.account_id')}) AS next
      WHERE account.number < ${SEARCHED_BATCH})
   SELECT account_id AS "accountId", next_attempt_at <= now() AND account_id <> ALL ($4::text[]) AS "isFound"
     FROM account
    WHERE number = ${SEARCHED_BATCH} OR (next_attempt_at <= now() AND account_id <> ALL ($4::text[])) LIMIT 1`,
);

export const claim = statement(
  'notify.claim-message',
  `UPDATE messages
      SET attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, now()),
          next_attempt_at = now() + interval '${CLAIM_SECONDS} seconds'
    WHERE id = (SELECT due.id
                  FROM unnest($3::text[]) AS account (name),
                       LATERAL (SELECT id FROM messages
                                 WHERE ${IN_CLASS} AND account_id = account.name AND next_attempt_at <= now()
                                 ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
                 LIMIT 1)
   RETURNING id, kind, channel, account_id, subject_id, request_id, attempts`,
);

// `IS FALSE`, because NOT would become `<>`, which the index `messages_due` does not have.
const firstLater = (isCode: string) => `
  (SELECT next_attempt_at FROM messages
    WHERE closed_at IS NULL AND channel = $1 AND ${isCode} AND next_attempt_at > now() ORDER BY next_attempt_at LIMIT 1)`;

export const nextDue = statement(
  'notify.next-due-message',
  `SELECT ceil(extract(epoch FROM min(next_attempt_at) - now()) * 1000)::int AS ms
     FROM (${firstLater(`(kind = 'link_code') IS TRUE`)} UNION ALL ${firstLater(`(kind = 'link_code') IS FALSE`)}) AS later`,
);

export const postponeAccount = statement(
  'notify.postpone-account',
  `UPDATE messages SET next_attempt_at = now() + $3 * interval '1 second'
    WHERE id IN (SELECT id FROM messages
                  WHERE closed_at IS NULL AND channel = $1 AND ${PRIORITY} = ${priorities.notification}
                    AND account_id = $2 AND next_attempt_at <= now()
                  ORDER BY next_attempt_at LIMIT ${POSTPONED_BATCH} FOR UPDATE SKIP LOCKED)`,
);
