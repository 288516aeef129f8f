import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Structured ingots: rows of `ingots` managed by a product, each with its own key and the values sealed with it; and the Sparks
 * that their retrievals claim.
 */
export class CreateStructured1770000000003 implements MigrationInterface {
  readonly name = 'CreateStructured1770000000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [structuredIngots, ...structuredValues, ...sparkClaims]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE spark_claims, structured_values, structured_ingots`);
  }
}

/** Transactions lock the row of the vault first (`VaultCounters`), then the row here, and only then write values. */
const structuredIngots = `
  CREATE TABLE structured_ingots (
    ingot_id text COLLATE "C" PRIMARY KEY REFERENCES ingots,
    vault_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    wrapped_key bytea NOT NULL,
    version integer NOT NULL CHECK (version >= 1),
    key_count integer NOT NULL CHECK (key_count BETWEEN 0 AND 10000)
  ) WITH (fillfactor = 80)`;

/**
 * No foreign key, which would look up one ingot 10,000 times. The primary key starts with the vault, so that the removal of
 * a vault finds its values in batches.
 */
const structuredValues = [
  `CREATE TABLE structured_values (
     vault_id text COLLATE "C" NOT NULL,
     ingot_id text COLLATE "C" NOT NULL,
     blind bytea NOT NULL,
     sealed_name bytea NOT NULL,
     sealed_value bytea NOT NULL,
     content_type text NOT NULL,
     size_bytes integer NOT NULL,
     version integer NOT NULL,
     PRIMARY KEY (vault_id, ingot_id, blind)
   )`,
  // Ciphertext does not compress.
  `ALTER TABLE structured_values ALTER COLUMN sealed_value SET STORAGE EXTERNAL`,
];

/**
 * Claims of the Sparks of running retrievals, deleted by the commit that releases them. `payload` is that of the event of
 * an abandoned claim.
 */
const sparkClaims = [
  `CREATE TABLE spark_claims (
     id uuid PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     request_id text NOT NULL,
     payload jsonb NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX spark_claims_by_age ON spark_claims (created_at)`,
];
