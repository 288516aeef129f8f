import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links a reservation to the one that it supersedes, which may still be open when this one is superseded in turn. */
export class ChainReservations1764420000000 implements MigrationInterface {
  readonly name = 'ChainReservations1764420000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservations ADD COLUMN instead_of text COLLATE "C"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservations DROP COLUMN instead_of`);
  }
}
