import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a delivery is being handled. null: it had its effect, as all have that an older instance records. */
export class RunningDeliveries1767810000000 implements MigrationInterface {
  readonly name = 'RunningDeliveries1767810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook_deliveries ADD COLUMN running_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook_deliveries DROP COLUMN running_until`);
  }
}
