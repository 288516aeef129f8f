import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reservations in the storage pool for incomplete uploads. */
export class CreateReservations1764410000000 implements MigrationInterface {
  readonly name = 'CreateReservations1764410000000';

  /**
   * `storage_reserved` is the sum of an account's held and confirmed reservations. A held one expires at `expires_at`, which
   * remains after its confirmation: a row without it was inserted by an event. A closed one remains for a while, so that a
   * late event cannot open it again.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pools ADD COLUMN storage_reserved bigint NOT NULL DEFAULT 0`);
    await runner.query(`
      CREATE TABLE reservations (
        id text COLLATE "C" PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL,
        bytes bigint NOT NULL,
        status text NOT NULL CHECK (status IN ('held', 'confirmed', 'closed')),
        expires_at timestamptz,
        closed_at timestamptz,
        CONSTRAINT held_expires CHECK (status <> 'held' OR expires_at IS NOT NULL),
        CONSTRAINT closed_is_dated CHECK ((status = 'closed') = (closed_at IS NOT NULL))
      )`);
    await runner.query(
      `CREATE INDEX reservations_to_expire ON reservations (expires_at) WHERE status = 'held'`,
    );
    await runner.query(
      `CREATE INDEX reservations_to_forget ON reservations (closed_at) WHERE status = 'closed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE reservations`);
    await runner.query(`ALTER TABLE pools DROP COLUMN storage_reserved`);
  }
}
