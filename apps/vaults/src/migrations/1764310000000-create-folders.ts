import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The folders of vaults: a tree for each vault. Paths are not stored: a folder that moves changes one row. */
export class CreateFolders1764310000000 implements MigrationInterface {
  readonly name = 'CreateFolders1764310000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of folders) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE folders`);
  }
}

/** A parent is in the same vault and outlives its children: a folder must be empty to be deleted. */
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
