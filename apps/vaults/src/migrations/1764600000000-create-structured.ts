import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Structured ingots: rows of `ingots` that a product manages, with a key of their own and values by it. */
export class CreateStructured1764600000000 implements MigrationInterface {
  readonly name = 'CreateStructured1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [structuredIngots, ...structuredValues]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE structured_values, structured_ingots`);
  }
}

/** Whoever writes an ingot's values has changed its row here first, and its vault's row before (`VaultCounters`). */
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
 * No foreign key: it would look 10,000 times for one ingot. The vault leads the primary key, by which a vault's removal
 * finds its values in batches.
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
