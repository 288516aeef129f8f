import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The keys that sign receipts. They are not rows of `signing_keys`: instances of the previous release would sign tokens with
 * them, count their generations and delete them.
 */
export class CreateReceiptKeys1766800000000 implements MigrationInterface {
  readonly name = 'CreateReceiptKeys1766800000000';

  async up(runner: QueryRunner): Promise<void> {
    // The private part of an outlived key is null. Its row verifies receipts for ever (NTF-45).
    await runner.query(`
      CREATE TABLE receipt_keys (
        generation int PRIMARY KEY,
        kid text COLLATE "C" NOT NULL UNIQUE,
        public_key text NOT NULL,
        data_key_id text,
        sealed bytea,
        created_at timestamptz NOT NULL DEFAULT now(),
        first_use_at timestamptz NOT NULL,
        retire_at timestamptz NOT NULL CHECK (retire_at > first_use_at),
        CHECK ((data_key_id IS NULL) = (sealed IS NULL))
      )`);
    // The service itself cannot lose a public key.
    await runner.query(`
      DO $$ DECLARE grantee text; BEGIN
        FOR grantee IN SELECT DISTINCT g.grantee FROM information_schema.role_table_grants g
          WHERE g.table_schema = current_schema() AND g.table_name = 'receipt_keys' AND g.grantee <> current_user
        LOOP EXECUTE format('REVOKE DELETE, TRUNCATE ON receipt_keys FROM %I', grantee); END LOOP;
      END $$`);
  }

  /** Receipts that were signed meanwhile do not verify any more. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE receipt_keys`);
  }
}
