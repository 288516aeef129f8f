import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Restores of the database, and the one statement by which the transparency log continues behind what was published before one. Only
 * the owner, as which the fence runs, records a restore, so the running service cannot declare leaves of the log void.
 */
export class BeginLogGenerations1770000000008 implements MigrationInterface {
  readonly name = 'BeginLogGenerations1770000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log_restores (
        restored_to timestamptz PRIMARY KEY,
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        begun_at timestamptz
      )`);
    await runner.query(`DO $$ DECLARE grantee text; BEGIN
      FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
        WHERE g.table_schema = current_schema() AND g.table_name = 'audit_log_restores' AND g.grantee <> current_user
      LOOP EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON audit_log_restores FROM %I', grantee); END LOOP;
    END $$`);
    await runner.query(beginLogGeneration);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION begin_log_generation`);
    await runner.query(`DROP TABLE audit_log_restores`);
  }
}

/** False if another instance was faster, or no restore is open. The public checkpoint is recorded as one that was signed. */
const beginLogGeneration = `
  CREATE FUNCTION begin_log_generation(own_size bigint, public_size bigint, public_root bytea, public_note text, leaf bytea)
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  BEGIN
    IF public_size < own_size THEN RAISE 'a log does not shrink'; END IF;
    UPDATE audit_log_restores SET begun_at = clock_timestamp() WHERE begun_at IS NULL;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE audit_log_state SET size = public_size, root = public_root, staged = leaf, staged_leaves = 1 WHERE size = own_size;
    IF NOT FOUND THEN RAISE 'the log has grown meanwhile'; END IF;
    INSERT INTO audit_checkpoints (size, root, note) VALUES (public_size, public_root, public_note) ON CONFLICT DO NOTHING;
    RETURN true;
  END $$`;
