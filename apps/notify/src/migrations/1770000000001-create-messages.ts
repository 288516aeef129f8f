import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The messages that are owed, on all channels, and the feed of the websocket channel. */
export class CreateMessages1770000000001 implements MigrationInterface {
  readonly name = 'CreateMessages1770000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...messages, mails, ...feed]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE feed, feed_heads`);
    await runner.query(`DROP VIEW mails`);
    await runner.query(`DROP TABLE messages`);
  }
}

const channels = `'email', 'phone', 'in_app', 'websocket', 'sms', 'push', 'web_push', 'voice', 'whatsapp', 'rcs', 'webhook', 'slack', 'teams'`;
const kinds = `'invitation', 'domain_warning', 'link_invitation', 'link_delivery', 'link_code', 'link_lockout', 'notification'`;
const outcomes = `'sent', 'obsolete', 'refused', 'expired', 'unconfirmed', 'unconfigured'`;

/**
 * Neither address nor text: the service that knows the person is asked when the message is sent, so a person who was removed
 * meanwhile is in no row here, and gets no message. `subject_id` is the invited user, or the message that sparks describes. The
 * id is that of the event, and starts the Message-ID of a mail. A notification has a row for each recipient, channel and step.
 *
 * `messages_by_account` finds a message of one account without reading those of another; `messages_due` the next due one.
 */
const messages = [
  `CREATE TABLE messages (
     id uuid PRIMARY KEY,
     kind text NOT NULL CHECK (kind IN (${kinds})),
     subject_id text NOT NULL,
     account_id text NOT NULL,
     request_id text,
     created_at timestamptz NOT NULL DEFAULT now(),
     attempts integer NOT NULL DEFAULT 0,
     first_tried_at timestamptz,
     next_attempt_at timestamptz NOT NULL DEFAULT now(),
     last_error text,
     outcome text CHECK (outcome IN (${outcomes})),
     closed_at timestamptz,
     channel text NOT NULL DEFAULT 'email' CHECK (channel IN (${channels})),
     lost_answers integer NOT NULL DEFAULT 0,
     recipient uuid REFERENCES recipients ON DELETE CASCADE,
     step smallint,
     provider_id text,
     CONSTRAINT mails_check CHECK ((outcome IS NULL) = (closed_at IS NULL)),
     CONSTRAINT users_are_invited_by_mail CHECK (kind <> 'invitation' OR channel = 'email'),
     CONSTRAINT notifications_have_recipients
       CHECK ((kind = 'notification') = (recipient IS NOT NULL) AND (recipient IS NULL) = (step IS NULL)),
     CONSTRAINT messages_once UNIQUE (recipient, channel, step)
   )`,
  `CREATE INDEX messages_due ON messages (channel, (kind = 'link_code') DESC, next_attempt_at) WHERE closed_at IS NULL`,
  `CREATE INDEX messages_by_account
     ON messages (channel, (CASE kind WHEN 'link_code' THEN 0 WHEN 'notification' THEN 2 ELSE 1 END), account_id, next_attempt_at)
     WHERE closed_at IS NULL`,
  `CREATE INDEX messages_closed ON messages (closed_at) WHERE closed_at IS NOT NULL`,
];

/** The invitations of users among the messages. */
const mails = `
  CREATE VIEW mails AS
    SELECT id, kind, subject_id, account_id, request_id, created_at, attempts, first_tried_at, next_attempt_at,
           last_error, outcome, closed_at
      FROM messages WHERE kind = 'invitation'`;

/** A position for each notification of the websocket channel, without gaps within an account. */
const feed = [
  `CREATE TABLE feed_heads (account_id text PRIMARY KEY, last bigint NOT NULL)`,
  `CREATE TABLE feed (
     account_id text NOT NULL,
     position bigint NOT NULL,
     message_id uuid NOT NULL UNIQUE REFERENCES messages ON DELETE CASCADE,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, position))`,
];
