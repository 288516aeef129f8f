import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSparks1763700000000 implements MigrationInterface {
  readonly name = 'CreateSparks1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [CREATE_DATA_KEYS_SQL, ...sparks, ...spentSparks, ...kindlings, ...sparklinks])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sparklinks, kindlings, spent_sparks, sparks`);
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

/** Tombstones of Sparks that are no longer listed: reading one answers 403 and not 404 (SPK-29, OPEN-50). */
const spentSparks = [
  `CREATE TABLE spent_sparks (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     has_kindling boolean NOT NULL,
     is_burned boolean NOT NULL,
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX spent_sparks_by_expiry ON spent_sparks (expires_at)`,
];

const kindlings = [
  `CREATE TABLE kindlings (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX kindlings_by_age ON kindlings (created_at)`,
];

/** A code is looked up by its hash and shown from its sealed copy; it is never stored in clear. */
const sparklinks = [
  `CREATE TABLE sparklinks (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     code_hash bytea NOT NULL UNIQUE,
     spark_id text COLLATE "C" UNIQUE,
     account_id text COLLATE "C" NOT NULL,
     link_type text NOT NULL CHECK (link_type IN ('spark', 'ingot')),
     visibility text NOT NULL CHECK (visibility IN ('public', 'authenticated', 'invite_only')),
     status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'consumed', 'revoked')),
     bound_ip inet,
     kid text NOT NULL,
     sealed_code bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL
   )`,
];
