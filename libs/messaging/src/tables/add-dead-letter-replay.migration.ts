import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The request of an operator to apply a dead letter again, which a running instance carries out. */
export class AddDeadLetterReplay1780000000000 implements MigrationInterface {
  readonly name = 'AddDeadLetterReplay1780000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dead_letters ADD COLUMN replay_requested_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dead_letters DROP COLUMN replay_requested_at`);
  }
}
