import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The mails to owners about a change of the owners (OPEN-59), until they are sent. The row has the addresses, because a removal
 * erases that of the removed owner from `users`, who gets the mail, too; a job deletes it after three days.
 */
export class CreateOwnerNotices1770000000002 implements MigrationInterface {
  readonly name = 'CreateOwnerNotices1770000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE owner_notices (
         id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
         account_id text COLLATE "C" NOT NULL REFERENCES accounts,
         email text NOT NULL,
         change text NOT NULL CHECK (change IN ('invited', 'joined', 'granted', 'revoked', 'removed', 'withdrawn')),
         person_email text NOT NULL,
         actor_email text,
         created_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query(`CREATE INDEX owner_notices_by_age ON owner_notices (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE owner_notices`);
  }
}
