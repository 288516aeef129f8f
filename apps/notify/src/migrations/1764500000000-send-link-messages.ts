import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails become messages of two channels: e-mail and texts to phones. */
export class SendLinkMessages1764500000000 implements MigrationInterface {
  readonly name = 'SendLinkMessages1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...messages, formerTable]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const text of mails) await runner.query(text);
  }
}

/** `subject_id` is the invited user, or the message that sparks describes. */
const messages = [
  `ALTER TABLE mails RENAME TO messages`,
  `ALTER TABLE messages
     DROP CONSTRAINT mails_kind_check,
     DROP CONSTRAINT mails_outcome_check,
     ADD COLUMN channel text NOT NULL DEFAULT 'email' CHECK (channel IN ('email', 'phone')),
     ADD COLUMN lost_answers integer NOT NULL DEFAULT 0,
     ADD CONSTRAINT messages_kind_check
       CHECK (kind IN ('invitation', 'link_invitation', 'link_delivery', 'link_code')),
     ADD CONSTRAINT messages_outcome_check
       CHECK (outcome IN ('sent', 'obsolete', 'refused', 'expired', 'unconfirmed')),
     ADD CONSTRAINT users_are_invited_by_mail CHECK (kind <> 'invitation' OR channel = 'email')`,
  `DROP INDEX mails_due`,
  `CREATE INDEX messages_due ON messages (channel, (kind = 'link_code') DESC, next_attempt_at) WHERE closed_at IS NULL`,
  `ALTER INDEX mails_closed RENAME TO messages_closed`,
  `ALTER INDEX mails_pkey RENAME TO messages_pkey`,
];

/** For instances of the previous release, which run until they are replaced and send invitations only. */
const formerTable = `
  CREATE VIEW mails AS
    SELECT id, kind, subject_id, account_id, request_id, created_at, attempts, first_tried_at, next_attempt_at,
           last_error, outcome, closed_at
      FROM messages WHERE kind = 'invitation'`;

const mails = [
  `DROP VIEW mails`,
  `DELETE FROM messages WHERE kind <> 'invitation' OR outcome = 'unconfirmed'`,
  `DROP INDEX messages_due`,
  `ALTER TABLE messages
     DROP COLUMN channel CASCADE,
     DROP COLUMN lost_answers,
     DROP CONSTRAINT messages_kind_check,
     DROP CONSTRAINT messages_outcome_check,
     ADD CONSTRAINT mails_kind_check CHECK (kind IN ('invitation')),
     ADD CONSTRAINT mails_outcome_check CHECK (outcome IN ('sent', 'obsolete', 'refused', 'expired'))`,
  `ALTER TABLE messages RENAME TO mails`,
  `CREATE INDEX mails_due ON mails (next_attempt_at) WHERE closed_at IS NULL`,
  `ALTER INDEX messages_closed RENAME TO mails_closed`,
  `ALTER INDEX messages_pkey RENAME TO mails_pkey`,
];
