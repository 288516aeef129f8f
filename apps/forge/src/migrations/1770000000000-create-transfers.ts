import type { MigrationInterface, QueryRunner } from 'typeorm';

/** ISTKs, uploads, the chunks of uploads, and running downloads. */
export class CreateTransfers1770000000000 implements MigrationInterface {
  readonly name = 'CreateTransfers1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...istks, ...uploads, chunks, ...downloads]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE downloads, chunks, uploads, istks`);
  }
}

/**
 * A row holds no ISTK, only its hash; the wrapped key opens with the ISTK alone. The row of a consumed ISTK stays without
 * its wrapped key, so that a later use gets ISTK_USED and not ISTK_INVALID (OPEN-50). `expires_at` is the absolute end,
 * and authenticated by the wrapped key; each use of a streaming ISTK renews `idle_until`. `bytes_moved` counts reserved
 * bytes, `bytes_told` those that events have published; a killed process leaves a difference. `given_up_at` is when the
 * end of an unused upload ISTK was published. `bytes_reserved` is the sum of the bytes that running downloads have not counted
 * yet. `user_id` is the user to whom the ISTK was issued; null for API keys and links.
 */
const istks = [
  `CREATE TABLE istks (
     lookup bytea PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C" NOT NULL,
     ingot_id text COLLATE "C" NOT NULL,
     version_id text COLLATE "C" NOT NULL,
     operation text NOT NULL CHECK (operation IN ('encrypt', 'decrypt')),
     mode text NOT NULL CHECK (mode IN ('once', 'stream')),
     bytes_max bigint NOT NULL,
     size_bytes bigint NOT NULL,
     content_type text NOT NULL,
     filename text NOT NULL,
     dvak_id text COLLATE "C",
     seal_epoch bigint,
     wrapped_key bytea,
     created_at timestamptz NOT NULL DEFAULT now(),
     expires_at timestamptz NOT NULL,
     idle_until timestamptz,
     used_at timestamptz,
     revoked_at timestamptz,
     given_up_at timestamptz,
     bytes_moved bigint NOT NULL DEFAULT 0,
     bytes_told bigint NOT NULL DEFAULT 0,
     moved_at timestamptz,
     is_complete boolean NOT NULL DEFAULT false,
     bytes_reserved bigint NOT NULL DEFAULT 0,
     user_id text COLLATE "C",
     CONSTRAINT streams_have_an_idle_time CHECK ((mode = 'stream') = (idle_until IS NOT NULL)),
     CONSTRAINT revoked_has_no_wrap CHECK (revoked_at IS NULL OR wrapped_key IS NULL)
   ) WITH (fillfactor = 80)`,
  `CREATE INDEX istks_of_vault ON istks (vault_id)`,
  `CREATE INDEX istks_of_version ON istks (version_id)`,
  `CREATE INDEX istks_by_expiry ON istks (expires_at)`,
  `CREATE INDEX istks_to_give_up ON istks (expires_at)
     WHERE operation = 'encrypt' AND used_at IS NULL AND revoked_at IS NULL AND given_up_at IS NULL`,
  `CREATE INDEX istks_to_wipe ON istks (expires_at) WHERE wrapped_key IS NOT NULL`,
  `CREATE INDEX istks_to_tell ON istks (moved_at) WHERE bytes_moved > bytes_told`,
  `CREATE INDEX istks_of_user ON istks (user_id) WHERE user_id IS NOT NULL`,
];

/**
 * An upload is also the record of its version's bytes while they are kept: open → finalized → replaced → dropped, or
 * open → dropped. `sweep_at` is when its orphaned objects are deleted next. `kept_until` keeps a replaced version for one-time
 * links, which have no ISTK until they are opened.
 */
const uploads = [
  `CREATE TABLE uploads (
     version_id text COLLATE "C" PRIMARY KEY,
     lookup bytea NOT NULL UNIQUE,
     account_id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C" NOT NULL,
     ingot_id text COLLATE "C" NOT NULL,
     size_bytes bigint NOT NULL CHECK (size_bytes > 0),
     offset_bytes bigint NOT NULL DEFAULT 0,
     status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'finalized', 'replaced', 'dropped')),
     wrapped_key bytea,
     created_at timestamptz NOT NULL DEFAULT now(),
     touched_at timestamptz NOT NULL DEFAULT now(),
     ended_at timestamptz,
     sweep_at timestamptz,
     kept_until timestamptz,
     CONSTRAINT open_has_wrap CHECK ((status = 'open') = (wrapped_key IS NOT NULL)),
     CONSTRAINT finalized_is_whole CHECK (status NOT IN ('finalized', 'replaced') OR offset_bytes = size_bytes)
   ) WITH (fillfactor = 80)`,
  `CREATE INDEX uploads_of_vault ON uploads (vault_id)`,
  `CREATE INDEX uploads_of_ingot ON uploads (ingot_id)`,
  `CREATE INDEX uploads_to_expire ON uploads (touched_at) WHERE status = 'open'`,
  `CREATE INDEX uploads_by_age ON uploads (created_at) WHERE status = 'open'`,
  `CREATE INDEX uploads_to_sweep ON uploads (sweep_at) WHERE sweep_at IS NOT NULL`,
  `CREATE INDEX uploads_replaced ON uploads (ended_at) WHERE status = 'replaced'`,
  `CREATE INDEX uploads_dropped ON uploads (ended_at) WHERE status = 'dropped'`,
];

const chunks = `
  CREATE TABLE chunks (
    version_id text COLLATE "C" NOT NULL REFERENCES uploads,
    chunk integer NOT NULL CHECK (chunk BETWEEN 0 AND 104857),
    bytes integer NOT NULL CHECK (bytes BETWEEN 1 AND 52428800),
    salt bytea NOT NULL,
    commitment bytea NOT NULL,
    mac bytea NOT NULL,
    object_key text NOT NULL,
    PRIMARY KEY (version_id, chunk)
  )`;

/**
 * A row is a running download, whose whole answer is reserved at its start: `bytes` of its answer, of which `bytes_moved` are
 * counted in the row of its ISTK, and a lease that heartbeats renew. `renewed_at` has no index: the table holds running
 * downloads only, and each renewal would have to update it.
 */
const downloads = [
  `CREATE TABLE downloads (
     download_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     lookup bytea NOT NULL REFERENCES istks ON DELETE CASCADE,
     bytes bigint NOT NULL,
     bytes_moved bigint NOT NULL,
     renewed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT moved_within_answer CHECK (bytes_moved <= bytes)
   ) WITH (fillfactor = 80)`,
  `CREATE INDEX downloads_of_istk ON downloads (lookup)`,
];
