import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of the transparency log of the audit, and its checkpoints. */
export class CreateTransparencyLog1770000000002 implements MigrationInterface {
  readonly name = 'CreateTransparencyLog1770000000002';

  /**
   * `audit_log_state` has one row. `root` is that of the tree of `size` leaves; the leaves in `staged` (an entry bundle of any
   * length) follow them. A checkpoint that was signed may have been seen, so that no row of `audit_checkpoints` changes.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log_state (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        size bigint NOT NULL DEFAULT 0,
        root bytea NOT NULL DEFAULT sha256(''),
        origin text,
        staged bytea,
        staged_leaves integer CHECK (staged_leaves > 0),
        CONSTRAINT staged_is_counted CHECK ((staged IS NULL) = (staged_leaves IS NULL))
      )`);
    await runner.query(`INSERT INTO audit_log_state DEFAULT VALUES`);
    await runner.query(`
      CREATE TABLE audit_checkpoints (
        size bigint PRIMARY KEY,
        root bytea NOT NULL,
        note text NOT NULL,
        signed_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE FUNCTION refuse_checkpoint_change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'a signed checkpoint cannot be changed'; END $$`);
    await runner.query(`
      CREATE TRIGGER audit_checkpoints_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_checkpoints
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_checkpoint_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_checkpoints`);
    await runner.query(`DROP FUNCTION refuse_checkpoint_change()`);
    await runner.query(`DROP TABLE audit_log_state`);
  }
}
