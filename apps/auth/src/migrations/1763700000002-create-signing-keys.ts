import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys that sign tokens, and the data keys that seal them. */
export class CreateSigningKeys1763700000002 implements MigrationInterface {
  readonly name = 'CreateSigningKeys1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_DATA_KEYS_SQL);
    // Copies of the service that make the next key at once agree by `generation`: one row of each.
    await runner.query(`
      CREATE TABLE signing_keys (
        generation int PRIMARY KEY,
        kid text COLLATE "C" NOT NULL UNIQUE,
        public_key text NOT NULL,
        data_key_id text NOT NULL,
        sealed bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        first_use_at timestamptz NOT NULL,
        retire_at timestamptz NOT NULL CHECK (retire_at > first_use_at)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE signing_keys`);
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}
