import { Injectable } from '@nestjs/common';
import type { IdentityType } from '@vaultsvc/contracts';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { QueueChannel } from './configured-channels.js';

/**
 * `invitation` invites into an organization, `domain_warning` is about a claimed domain, `owner_change` about
 * the owners of an account, `notification` is a step of a send, the
 * other kinds are about links.
 */
export type MessageKind =
  | 'invitation'
  | 'domain_warning'
  | 'owner_change'
  | 'notification'
  | 'link_invitation'
  | 'link_delivery'
  | 'link_code'
  | 'link_lockout';

export interface NewMessage {
  readonly id: string;
  readonly kind: MessageKind;
  readonly channel: IdentityType;
  /** The key of its content: the invited user or the warning (`subjectOf`) in auth, or the message in sparks. */
  readonly subjectId: string;
  readonly accountId: string;
  readonly requestId: string | null;
}

/** A message that this instance has leased for the next minute. */
export interface ClaimedMessage {
  readonly id: string;
  readonly kind: MessageKind;
  readonly channel: QueueChannel;
  readonly account_id: string;
  readonly subject_id: string;
  readonly request_id: string | null;
  /** This attempt included. */
  readonly attempts: number;
}

/**
 * `obsolete`: the subject had ended before the message was sent; `refused`: permanently rejected; `expired`: not accepted
 * within its retry period; `unconfirmed`: sent three times, and each time the provider's reply was lost; `unconfigured`: a
 * notification whose channel has no credentials.
 */
export type Outcome = 'sent' | 'obsolete' | 'refused' | 'expired' | 'unconfirmed' | 'unconfigured';

const FIRST_RETRY_SECONDS = 5;
const RETRY_SECONDS_MAX = 15 * 60;
/** Short, because the visitor is waiting for the code. */
const CODE_RETRY_SECONDS_MAX = 15;
const RETRY_FOR_HOURS = 24;
/** Longer than a code is valid. */
const CODE_RETRY_FOR_MINUTES = 15;
const LOST_ANSWERS_MAX = 3;
const RETENTION_DAYS = 30;

/** The queue of messages and their outcomes, by the database's clock. */
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

  /** Closes a message, even if its lease has passed to another instance: it was sent. */
  async close(
    { id }: ClaimedMessage,
    outcome: Outcome,
    error: string | null = null,
    providerId: string | null = null,
  ): Promise<void> {
    await this.database.query(closeMessage, [id, outcome, error, providerId]);
  }

  /** Lets a message wait, as if this attempt had not been made. */
  async postpone({ id, attempts }: ClaimedMessage, seconds: number): Promise<void> {
    await this.database.query(postpone, [id, attempts, seconds]);
  }

  /**
   * Schedules the next attempt with exponential backoff, or closes the message.
   * @param isAnswerLost whether the message may have been sent: such attempts are repeated twice at most
   * @param retryAfterMs the delay that the provider asked for; the next attempt is not earlier
   * @returns the outcome if the message was closed, otherwise null
   */
  async reschedule(
    { id, attempts }: ClaimedMessage,
    error: string,
    isAnswerLost: boolean,
    retryAfterMs = 0,
  ): Promise<Outcome | null> {
    const values = [id, attempts, error, isAnswerLost ? 1 : 0, retryAfterMs / 1_000];
    const [row] = await this.database.query<{ outcome: Outcome | null }>(reschedule, values);
    return row?.outcome ?? null;
  }

  /** Deletes messages closed 30 days ago; notifications are deleted with their send. */
  async deleteClosed(): Promise<void> {
    await this.database.query(deleteClosed);
  }
}

const insertMessages = statement(
  'notify.insert-messages',
  `INSERT INTO messages (id, kind, channel, subject_id, account_id, request_id)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) ON CONFLICT DO NOTHING`,
);

const closeMessage = statement(
  'notify.close-message',
  `UPDATE messages SET outcome = $2, closed_at = now(), last_error = coalesce($3, last_error), provider_id = $4
    WHERE id = $1 AND (closed_at IS NULL OR $2 = 'sent')`,
);

const postpone = statement(
  'notify.postpone-message',
  `UPDATE messages SET attempts = attempts - 1, next_attempt_at = now() + $3 * interval '1 second'
    WHERE id = $1 AND attempts = $2 AND closed_at IS NULL`,
);

// `attempts` fences the update: once the lease has passed to another instance, that attempt decides.
const reschedule = statement(
  'notify.reschedule-message',
  `WITH tried AS (
     SELECT id,
            CASE WHEN lost_answers + $4 >= ${LOST_ANSWERS_MAX} THEN 'unconfirmed'
                 WHEN first_tried_at <= now() - CASE WHEN kind = 'link_code' THEN interval '${CODE_RETRY_FOR_MINUTES} minutes'
                                                     ELSE interval '${RETRY_FOR_HOURS} hours' END THEN 'expired' END AS ending,
            CASE WHEN kind = 'link_code' THEN ${CODE_RETRY_SECONDS_MAX} ELSE ${RETRY_SECONDS_MAX} END AS seconds_max
       FROM messages WHERE id = $1)
   UPDATE messages m
      SET last_error = $3, lost_answers = lost_answers + $4,
          outcome = ending, closed_at = CASE WHEN ending IS NOT NULL THEN now() END,
          next_attempt_at = now() + greatest($5::float8, least(seconds_max, ${FIRST_RETRY_SECONDS} * 2 ^ least(attempts - 1, 20))
                                                         * (CASE WHEN kind = 'notification' THEN 0.75 + random() / 2 ELSE 1 END))
                                    * interval '1 second'
     FROM tried WHERE m.id = tried.id AND m.attempts = $2 AND m.closed_at IS NULL
   RETURNING outcome`,
);

const deleteClosed = statement(
  'notify.delete-closed-messages',
  `DELETE FROM messages WHERE kind <> 'notification' AND closed_at <= now() - interval '${RETENTION_DAYS} days'`,
);
