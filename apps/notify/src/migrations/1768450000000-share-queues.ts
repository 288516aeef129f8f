import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The open messages of a channel by priority and account, so that a message of one account is found without reading those of
 * another. Instances of the previous release go on with `messages_due`, by which the next due message is found, too.
 */
export class ShareQueues1768450000000 implements MigrationInterface {
  readonly name = 'ShareQueues1768450000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX messages_by_account
         ON messages (channel, (CASE kind WHEN 'link_code' THEN 0 WHEN 'notification' THEN 2 ELSE 1 END), account_id, next_attempt_at)
         WHERE closed_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX messages_by_account`);
  }
}
