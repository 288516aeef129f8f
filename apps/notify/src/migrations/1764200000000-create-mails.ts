import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The mails that are owed. */
export class CreateMails1764200000000 implements MigrationInterface {
  readonly name = 'CreateMails1764200000000';

  /**
   * Neither address nor text: whoever knows the person is asked when the mail is sent, so that one who was removed
   * meanwhile is nowhere here, and gets no mail. The id is that of the event, and begins the Message-ID.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mails (
        id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('invitation')),
        subject_id text NOT NULL,
        account_id text NOT NULL,
        request_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        first_tried_at timestamptz,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        last_error text,
        outcome text CHECK (outcome IN ('sent', 'obsolete', 'refused', 'expired')),
        closed_at timestamptz,
        CHECK ((outcome IS NULL) = (closed_at IS NULL))
      )`);
    await runner.query(`CREATE INDEX mails_due ON mails (next_attempt_at) WHERE closed_at IS NULL`);
    await runner.query(`CREATE INDEX mails_closed ON mails (closed_at) WHERE closed_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE mails`);
  }
}
