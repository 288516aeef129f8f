import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '@vaultsvc/database';

/** The files of a folder in the order of creation, page by page. Their order by name has the unique index of names. */
export class IndexFoldersByAge1770000000008 implements MigrationInterface {
  readonly name = 'IndexFoldersByAge1770000000008';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const definition = '(vault_id, folder_id, created_at, id)';
    await createIndex(runner, 'ingots', { name: 'ingots_by_folder_age', definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS ingots_by_folder_age`);
  }
}
