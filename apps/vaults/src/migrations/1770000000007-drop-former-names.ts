import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropFoldName } from './fold-name.js';
import { namedTables } from './named-tables.js';

/**
 * Ends what `FoldNames1770000000004` kept for releases before 0.1.0: the former keys with their indexes, and the trigger, which looked
 * for a twin of each name that was written. Each statement locks one table, and can be repeated.
 */
export class DropFormerNames1770000000007 implements MigrationInterface {
  readonly name = 'DropFormerNames1770000000007';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { name } of namedTables) {
      await runner.query(`DROP TRIGGER IF EXISTS keep_names ON ${name}`);
      await runner.query(`DROP FUNCTION IF EXISTS keep_names_of_${name}()`);
      await runner.query(`ALTER TABLE ${name} DROP COLUMN IF EXISTS name_key`);
    }
    await runner.query(dropFoldName);
  }

  /** Release 0.1.0 neither reads nor writes what is dropped. */
  async down(): Promise<void> {}
}
