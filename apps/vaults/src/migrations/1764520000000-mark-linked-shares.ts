import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the event of a share's link was consumed. A share without a link is inaccessible, and a job ends it. */
export class MarkLinkedShares1764520000000 implements MigrationInterface {
  readonly name = 'MarkLinkedShares1764520000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ingot_shares ADD COLUMN is_linked boolean NOT NULL DEFAULT false`);
    await runner.query(`CREATE INDEX ingot_shares_unlinked ON ingot_shares (created_at) WHERE NOT is_linked`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ingot_shares DROP COLUMN is_linked`);
  }
}
