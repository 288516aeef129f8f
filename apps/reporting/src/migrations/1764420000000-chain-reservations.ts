import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which reservation ends with the one that takes its place: that one may be replaced before its end has been told. */
export class ChainReservations1764420000000 implements MigrationInterface {
  readonly name = 'ChainReservations1764420000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservations ADD COLUMN instead_of text COLLATE "C"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservations DROP COLUMN instead_of`);
  }
}
