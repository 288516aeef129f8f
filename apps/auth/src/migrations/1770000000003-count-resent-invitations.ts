import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the invitation of a user was sent again, within the hour before the last time; null: never. It counts as an invitation. */
export class CountResentInvitations1770000000003 implements MigrationInterface {
  readonly name = 'CountResentInvitations1770000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users ADD COLUMN invitation_resent_at timestamptz[]`);
    await runner.query(
      `CREATE INDEX users_with_resent_invitations ON users (account_id) WHERE invitation_resent_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users DROP COLUMN invitation_resent_at`);
  }
}
