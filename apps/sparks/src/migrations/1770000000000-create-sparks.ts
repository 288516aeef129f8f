import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sparks, the contents that those of a send share, and kindlings. */
export class CreateSparks1770000000000 implements MigrationInterface {
  readonly name = 'CreateSparks1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [CREATE_DATA_KEYS_SQL, ...sparks, ...sharedContents, ...kindlings])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE kindlings, shared_contents, sparks`);
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}

/**
 * Sparks that can be read or are listed. No index covers a column that a read changes, and no index is partial on one.
 * So a burn is a HOT update, which writes no index (`fillfactor` reserves the space), and the planner cannot choose an
 * index that its statistics call empty: a partial index turned the burn into a scan of all live Sparks.
 */
const sparks = [
  `CREATE TABLE sparks (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     kindling text COLLATE "C",
     status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'reading', 'ash')),
     content_type text NOT NULL,
     filename text,
     size_bytes integer NOT NULL,
     ttl_minutes integer NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     due_at timestamptz NOT NULL,
     burned_at timestamptz,
     lock_token uuid,
     locked_at timestamptz,
     kid text NOT NULL,
     wrapped_dek bytea,
     ciphertext bytea,
     content_id uuid,
     CONSTRAINT lock_is_whole CHECK ((status = 'reading') = (lock_token IS NOT NULL) AND (lock_token IS NULL) = (locked_at IS NULL)),
     CONSTRAINT ash_holds_nothing CHECK (status <> 'ash' OR (burned_at IS NOT NULL AND wrapped_dek IS NULL AND ciphertext IS NULL))
   ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`,
  // Ciphertext does not compress, and the attempt costs more than the encryption.
  `ALTER TABLE sparks ALTER COLUMN ciphertext SET STORAGE EXTERNAL`,
  `CREATE INDEX sparks_of_account ON sparks (account_id, created_at, id)`,
  `CREATE INDEX sparks_of_kindling ON sparks (kindling, created_at, id) WHERE kindling IS NOT NULL`,
  `CREATE INDEX sparks_due ON sparks (due_at)`,
  `COMMENT ON COLUMN sparks.due_at IS 'When the next stage comes: wiped at expiry, taken out of lists afterwards.'`,
];

/**
 * Contents that the Sparks of a send share (ADR 38). `remaining`: the unread Sparks that open the content. The last one takes
 * the ciphertext with it.
 */
const sharedContents = [
  `CREATE TABLE shared_contents (
     id uuid PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     group_id uuid NOT NULL,
     ciphertext bytea,
     remaining integer NOT NULL CHECK (remaining >= 0),
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     CONSTRAINT nobody_left_holds_nothing CHECK ((remaining = 0) = (ciphertext IS NULL))
   )`,
  // Ciphertext does not compress, as in `sparks`.
  `ALTER TABLE shared_contents ALTER COLUMN ciphertext SET STORAGE EXTERNAL`,
  `CREATE INDEX shared_contents_by_expiry ON shared_contents (expires_at)`,
];

const kindlings = [
  `CREATE TABLE kindlings (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX kindlings_by_age ON kindlings (created_at)`,
];
