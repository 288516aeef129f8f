import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests with an Idempotency-Key that were carried out (OPEN-67). */
export class CreateIdempotencyKeys1769000000001 implements MigrationInterface {
  readonly name = 'CreateIdempotencyKeys1769000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        account_id text NOT NULL,
        operation text NOT NULL,
        key_hash bytea NOT NULL,
        hour text NOT NULL,
        fingerprint bytea NOT NULL,
        resource_id text,
        reply text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, operation, key_hash)
      )`);
    await runner.query(`COMMENT ON COLUMN idempotency_keys.hour IS 'names the key of the fingerprint'`);
    await runner.query(
      `COMMENT ON COLUMN idempotency_keys.reply IS 'JSON as it was sent; null for one that held a secret'`,
    );
    await runner.query(`CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE idempotency_keys`);
  }
}
