import { Injectable } from '@nestjs/common';
import type { IdentityType } from '@vaultsvc/contracts';
import { Database, statement, type Queryable } from '@vaultsvc/database';

/** `invitation` into an organization; the others are about links. */
export type MessageKind = 'invitation' | 'link_invitation' | 'link_delivery' | 'link_code';

export interface NewMessage {
  readonly id: string;
  readonly kind: MessageKind;
  readonly channel: IdentityType;
  /** What its text is asked for by: the invited user, or the id of what sparks describes. */
  readonly subjectId: string;
  readonly accountId: string;
  readonly requestId: string | null;
}

/** A message that this copy of the service may send for the next minute. */
export interface ClaimedMessage {
  readonly id: string;
  readonly kind: MessageKind;
  readonly channel: IdentityType;
  readonly subject_id: string;
  readonly request_id: string | null;
  /** This attempt included. */
  readonly attempts: number;
}

/** What a lane takes: messages of its channel, all of them or codes alone. */
export interface Lane {
  readonly channel: IdentityType;
  readonly isForCodesOnly: boolean;
}

/**
 * `obsolete`: there was nobody to write to any more, or nothing to say; `expired`: not taken in its time;
 * `unconfirmed`: handed over several times, and each time the answer was lost.
 */
export type Outcome = 'sent' | 'obsolete' | 'refused' | 'expired' | 'unconfirmed';

/** Longer than any attempt takes. A copy that died meanwhile has its message sent by another one after this. */
const CLAIM_SECONDS = 60;
const FIRST_RETRY_SECONDS = 5;
const RETRY_SECONDS_MAX = 15 * 60;
/** Somebody sits before the page and waits for it. */
const CODE_RETRY_SECONDS_MAX = 15;
const TRIED_FOR_HOURS = 24;
/** Longer than a code is good for. */
const CODE_TRIED_FOR_MINUTES = 15;
const LOST_ANSWERS_MAX = 3;
const KEPT_DAYS = 30;

/** The messages that are owed, and what became of them. The database's clock decides. */
@Injectable()
export class MessageRepository {
  constructor(private readonly database: Database) {}

  async add(tx: Queryable, messages: readonly NewMessage[]): Promise<void> {
    await tx.query(insertMessages, [
      messages.map(({ id }) => id),
      messages.map(({ kind }) => kind),
      messages.map(({ channel }) => channel),
      messages.map(({ subjectId }) => subjectId),
      messages.map(({ accountId }) => accountId),
      messages.map(({ requestId }) => requestId),
    ]);
  }

  /** A code, or else the message that waits longest. No other copy gets it while the claim lasts. */
  async claimDue({ channel, isForCodesOnly }: Lane): Promise<ClaimedMessage | undefined> {
    const [message] = await this.database.query<ClaimedMessage>(claimDue, [channel, isForCodesOnly]);
    return message;
  }

  /** Milliseconds until a message is due, or a claim ends; undefined when none is owed. */
  async nextDueMs({ channel, isForCodesOnly }: Lane): Promise<number | undefined> {
    const [row] = await this.database.query<{ ms: number | null }>(nextDue, [channel, isForCodesOnly]);
    return row?.ms ?? undefined;
  }

  /** Ends a message, whoever has the claim now: what was sent is sent. */
  async close({ id }: ClaimedMessage, outcome: Outcome, error: string | null = null): Promise<void> {
    await this.database.query(closeMessage, [id, outcome, error]);
  }

  /**
   * Makes it due later; or ends it, which is then answered.
   * @param isAnswerLost whether it may have been sent all the same: that is tried again twice, not for hours
   */
  async putOff(
    { id, attempts }: ClaimedMessage,
    error: string,
    isAnswerLost: boolean,
  ): Promise<Outcome | null> {
    const values = [id, attempts, error, isAnswerLost ? 1 : 0];
    const [row] = await this.database.query<{ outcome: Outcome | null }>(putOff, values);
    return row?.outcome ?? null;
  }

  /** Forgets what was ended a month ago. */
  async forget(): Promise<void> {
    await this.database.query(forgetClosed);
  }
}

const insertMessages = statement(
  'notify.insert-messages',
  `INSERT INTO messages (id, kind, channel, subject_id, account_id, request_id)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) ON CONFLICT DO NOTHING`,
);

const claimDue = statement(
  'notify.claim-due-message',
  `UPDATE messages
      SET attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, now()),
          next_attempt_at = now() + interval '${CLAIM_SECONDS} seconds'
    WHERE id = (SELECT id FROM messages
                 WHERE closed_at IS NULL AND channel = $1 AND next_attempt_at <= now()
                   AND (kind = 'link_code' OR NOT $2::boolean)
                 ORDER BY (kind = 'link_code') DESC, next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING id, kind, channel, subject_id, request_id, attempts`,
);

// Without a message there is no time: greatest() would pass over the NULL and say 0, which is now.
const nextDue = statement(
  'notify.next-due-message',
  `SELECT CASE WHEN count(*) > 0 THEN ceil(greatest(0, extract(epoch FROM min(next_attempt_at) - now())) * 1000)::int END AS ms
     FROM messages WHERE closed_at IS NULL AND channel = $1 AND (kind = 'link_code' OR NOT $2::boolean)`,
);

const closeMessage = statement(
  'notify.close-message',
  `UPDATE messages SET outcome = $2, closed_at = now(), last_error = coalesce($3, last_error)
    WHERE id = $1 AND (closed_at IS NULL OR $2 = 'sent')`,
);

// Of this attempt only: after a claim has ended, another copy's attempt decides.
const putOff = statement(
  'notify.put-off-message',
  `WITH tried AS (
     SELECT id,
            CASE WHEN lost_answers + $4 >= ${LOST_ANSWERS_MAX} THEN 'unconfirmed'
                 WHEN first_tried_at <= now() - CASE WHEN kind = 'link_code' THEN interval '${CODE_TRIED_FOR_MINUTES} minutes'
                                                     ELSE interval '${TRIED_FOR_HOURS} hours' END THEN 'expired' END AS ending,
            CASE WHEN kind = 'link_code' THEN ${CODE_RETRY_SECONDS_MAX} ELSE ${RETRY_SECONDS_MAX} END AS seconds_max
       FROM messages WHERE id = $1 AND attempts = $2 AND closed_at IS NULL)
   UPDATE messages m
      SET last_error = $3, lost_answers = lost_answers + $4,
          outcome = ending, closed_at = CASE WHEN ending IS NOT NULL THEN now() END,
          next_attempt_at = now() + least(seconds_max, ${FIRST_RETRY_SECONDS} * 2 ^ least(attempts - 1, 20)) * interval '1 second'
     FROM tried WHERE m.id = tried.id AND m.attempts = $2 AND m.closed_at IS NULL
   RETURNING outcome`,
);

const forgetClosed = statement(
  'notify.forget-closed-messages',
  `DELETE FROM messages WHERE closed_at <= now() - interval '${KEPT_DAYS} days'`,
);
