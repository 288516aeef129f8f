import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Folders, ingots, and the versions of their contents: each version with a key of its own, wrapped by the vault key. */
export class CreateIngots1770000000001 implements MigrationInterface {
  readonly name = 'CreateIngots1770000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...folders, ...ingots, ...versions]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ingot_versions, ingots, folders`);
  }
}

/**
 * A tree for each vault. Paths are not stored: a folder that moves changes one row. A parent is in the same vault and outlives
 * its children: a folder must be empty to be deleted.
 */
const folders = [
  `CREATE TABLE folders (
     id text COLLATE "C" NOT NULL,
     vault_id text COLLATE "C" NOT NULL REFERENCES vaults ON DELETE CASCADE,
     parent_id text COLLATE "C",
     name text NOT NULL,
     name_key text COLLATE "C" NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (vault_id, id),
     FOREIGN KEY (vault_id, parent_id) REFERENCES folders (vault_id, id),
     CONSTRAINT folder_is_not_in_itself CHECK (parent_id <> id)
   )`,
  // Two folders at the root have the same parent, which is none.
  `CREATE UNIQUE INDEX folders_name_key ON folders (vault_id, parent_id, name_key) NULLS NOT DISTINCT`,
  // Lists are sorted by a prefix of the name: a cursor with the whole name could exceed the length of a cursor.
  `CREATE INDEX folders_of_vault ON folders (vault_id, (left(name_key, 64)), id)`,
  `CREATE INDEX folders_of_folder ON folders (vault_id, parent_id, (left(name_key, 64)), id)`,
];

/**
 * Size, type and filename of the current content, or of the first upload until it is complete. `pending_version` is the
 * upload that may become the content; a newer upload replaces it. `opened_at` is the start of the last upload of an
 * ingot without content, from which the guard of its deletion counts (AMB-16).
 */
const ingots = [
  `CREATE TABLE ingots (
     id text COLLATE "C" PRIMARY KEY,
     vault_id text COLLATE "C" NOT NULL REFERENCES vaults,
     account_id text COLLATE "C" NOT NULL,
     folder_id text COLLATE "C",
     name text NOT NULL,
     name_key text COLLATE "C" NOT NULL,
     file_type text NOT NULL,
     content_type text NOT NULL,
     original_filename text,
     size_bytes bigint NOT NULL,
     status text NOT NULL CHECK (status IN ('uploading', 'encrypting', 'active', 'failed')),
     managed_by text,
     upload_source text,
     current_version text COLLATE "C",
     pending_version text COLLATE "C",
     access_count bigint NOT NULL DEFAULT 0,
     total_bandwidth_bytes bigint NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     opened_at timestamptz NOT NULL DEFAULT now(),
     FOREIGN KEY (vault_id, folder_id) REFERENCES folders (vault_id, id)
   ) WITH (fillfactor = 80)`,
  // Two ingots at the root are in the same folder, which is none.
  `CREATE UNIQUE INDEX ingots_name_key ON ingots (vault_id, folder_id, name_key) NULLS NOT DISTINCT`,
  // For :name, and for the beginnings of names, which are a range in the order of "C".
  `CREATE INDEX ingots_by_name ON ingots (vault_id, name_key, id)`,
  `CREATE INDEX ingots_by_age ON ingots (vault_id, created_at, id)`,
];

/**
 * The row of a version is deleted, with its key, when the version is replaced or dropped. All versions of a shared ingot, the
 * pending one too, store their key wrapped with the share key (`shared_key`), so that the link opens whichever version is the
 * content.
 */
const versions = [
  `CREATE TABLE ingot_versions (
     id text COLLATE "C" PRIMARY KEY,
     ingot_id text COLLATE "C" NOT NULL REFERENCES ingots,
     vault_id text COLLATE "C" NOT NULL,
     account_id text COLLATE "C" NOT NULL,
     size_bytes bigint NOT NULL,
     content_type text NOT NULL,
     original_filename text,
     wrapped_key bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     shared_key bytea
   )`,
  `CREATE INDEX ingot_versions_of_ingot ON ingot_versions (ingot_id)`,
  `CREATE INDEX ingot_versions_of_vault ON ingot_versions (vault_id)`,
];
