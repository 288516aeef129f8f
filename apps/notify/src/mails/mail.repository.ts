import { Inject, Injectable } from '@nestjs/common';
import { Database, statement, type Queryable } from '@vaultsvc/database';

export interface NewMail {
  readonly id: string;
  readonly kind: 'invitation';
  /** Whom it concerns: the invited user. */
  readonly subjectId: string;
  readonly accountId: string;
  readonly requestId: string | null;
}

/** A mail that this copy of the service may send for the next minute. */
export interface ClaimedMail {
  readonly id: string;
  readonly kind: 'invitation';
  readonly subject_id: string;
  readonly request_id: string | null;
  /** This attempt included. */
  readonly attempts: number;
}

/** `obsolete`: there was nobody to write to any more; `expired`: not taken for 24 hours. */
export type Outcome = 'sent' | 'obsolete' | 'refused' | 'expired';

/** Longer than any attempt takes. A copy that died meanwhile has its mail sent by another one after this. */
const CLAIM_SECONDS = 60;
const FIRST_RETRY_SECONDS = 5;
const RETRY_SECONDS_MAX = 15 * 60;
const TRIED_FOR_HOURS = 24;
const KEPT_DAYS = 30;

/** The mails that are owed, and what became of them. The database's clock decides. */
@Injectable()
export class MailRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  async add(tx: Queryable, mails: readonly NewMail[]): Promise<void> {
    await tx.query(insertMails, [
      mails.map(({ id }) => id),
      mails.map(({ kind }) => kind),
      mails.map(({ subjectId }) => subjectId),
      mails.map(({ accountId }) => accountId),
      mails.map(({ requestId }) => requestId),
    ]);
  }

  /** The mail that waits longest. No other copy gets it while the claim lasts. */
  async claimDue(): Promise<ClaimedMail | undefined> {
    const [mail] = await this.database.query<ClaimedMail & Record<string, unknown>>(claimDue);
    return mail;
  }

  /** Milliseconds until a mail is due, or a claim ends; undefined when none is owed. */
  async nextDueMs(): Promise<number | undefined> {
    const [row] = await this.database.query<{ ms: number | null }>(nextDue);
    return row?.ms ?? undefined;
  }

  /** Ends a mail, whoever has the claim now: what was sent is sent. */
  async close({ id }: ClaimedMail, outcome: Outcome, error: string | null = null): Promise<void> {
    await this.database.query(closeMail, [id, outcome, error]);
  }

  /** Makes it due later; or ends it as `expired`, which is then answered. */
  async putOff({ id, attempts }: ClaimedMail, error: string): Promise<Outcome | null> {
    const [row] = await this.database.query<{ outcome: Outcome | null }>(putOff, [id, attempts, error]);
    return row?.outcome ?? null;
  }

  /** Forgets what was ended a month ago. */
  async forget(): Promise<void> {
    await this.database.query(forgetClosed);
  }
}

const insertMails = statement(
  'notify.insert-mails',
  `INSERT INTO mails (id, kind, subject_id, account_id, request_id)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
);

const claimDue = statement(
  'notify.claim-due-mail',
  `UPDATE mails
      SET attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, now()),
          next_attempt_at = now() + interval '${CLAIM_SECONDS} seconds'
    WHERE id = (SELECT id FROM mails WHERE closed_at IS NULL AND next_attempt_at <= now()
                 ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING id, kind, subject_id, request_id, attempts`,
);

// Without a mail there is no time: greatest() would pass over the NULL and say 0, which is now.
const nextDue = statement(
  'notify.next-due-mail',
  `SELECT CASE WHEN count(*) > 0 THEN ceil(greatest(0, extract(epoch FROM min(next_attempt_at) - now())) * 1000)::int END AS ms
     FROM mails WHERE closed_at IS NULL`,
);

const closeMail = statement(
  'notify.close-mail',
  `UPDATE mails SET outcome = $2, closed_at = now(), last_error = coalesce($3, last_error)
    WHERE id = $1 AND (closed_at IS NULL OR $2 = 'sent')`,
);

// Of this attempt only: after a claim has ended, another copy's attempt decides.
const putOff = statement(
  'notify.put-off-mail',
  `WITH tried AS (
     SELECT id, first_tried_at <= now() - interval '${TRIED_FOR_HOURS} hours' AS is_over FROM mails
      WHERE id = $1 AND attempts = $2 AND closed_at IS NULL)
   UPDATE mails m
      SET last_error = $3, outcome = CASE WHEN is_over THEN 'expired' END, closed_at = CASE WHEN is_over THEN now() END,
          next_attempt_at = now() + least(${RETRY_SECONDS_MAX}, ${FIRST_RETRY_SECONDS} * 2 ^ least(attempts - 1, 20)) * interval '1 second'
     FROM tried WHERE m.id = tried.id AND m.attempts = $2 AND m.closed_at IS NULL
   RETURNING outcome`,
);

const forgetClosed = statement(
  'notify.forget-closed-mails',
  `DELETE FROM mails WHERE closed_at <= now() - interval '${KEPT_DAYS} days'`,
);
