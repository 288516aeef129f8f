import { nameKey } from '@vaultsvc/contracts/names';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '@vaultsvc/database';
import { createFoldName, dropFoldName } from './fold-name.js';
import { keepNames } from './keep-names.js';
import { namedTables, type NamedTable } from './named-tables.js';

/** Rows of one statement: few enough that their locks delay no request. */
const BATCH_MAX = 1_000;

/**
 * Names were unique by lower case of NFKC (`name_key`), and are now by simple case folding of NFC (`folded_name`, ADR 45). Instances
 * of the release before go on with `name_key`; a trigger keeps both columns right whoever writes. The release after drops it.
 * Every step can be repeated, and each batch is committed: an interrupted run goes on where it ended.
 */
export class FoldNames1770000000004 implements MigrationInterface {
  readonly name = 'FoldNames1770000000004';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createFoldName);
    for (const table of namedTables) {
      await runner.query(`ALTER TABLE ${table.name} ADD COLUMN IF NOT EXISTS folded_name text COLLATE "C"`);
      for (const text of keepNames(table)) await runner.query(text);
      await foldRows(runner, table);
      await separateTwins(runner, table);
      for (const index of table.indexes) await createIndex(runner, table.name, index);
      await requireFoldedNames(runner, table);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of namedTables) {
      await runner.query(`DROP TRIGGER keep_names ON ${name}`);
      await runner.query(`DROP FUNCTION keep_names_of_${name}()`);
      await runner.query(`ALTER TABLE ${name} DROP COLUMN folded_name`);
    }
    await runner.query(dropFoldName);
  }
}

type NamedRow = { readonly name: string } & Readonly<Record<string, string>>;

/** A row whose name changes meanwhile is left to the trigger. */
async function foldRows(runner: QueryRunner, { name: table, primaryKey }: NamedTable): Promise<void> {
  const key = primaryKey.join(', ');
  const next = `SELECT ${key}, name FROM ${table}
                 WHERE folded_name IS NULL AND (${key}) > (${primaryKey.map((_, index) => `$${index + 1}`).join(', ')})
                 ORDER BY ${key} LIMIT ${BATCH_MAX}`;
  let last: NamedRow | undefined;
  do {
    const rows = (await runner.query(
      next,
      primaryKey.map((column) => last?.[column] ?? ''),
    )) as NamedRow[];
    await foldBatch(runner, table, primaryKey, rows);
    last = rows.at(-1);
  } while (last);
}

async function foldBatch(
  runner: QueryRunner,
  table: string,
  primaryKey: readonly string[],
  rows: readonly NamedRow[],
): Promise<void> {
  const columns = [...primaryKey, 'name'];
  const arrays = [...columns, 'folded_name'].map((_, index) => `$${index + 1}::text[]`).join(', ');
  const fold = `UPDATE ${table} t SET folded_name = f.folded_name FROM unnest(${arrays}) f (${columns.join(', ')}, folded_name)
                 WHERE ${columns.map((column) => `t.${column} = f.${column}`).join(' AND ')} AND t.folded_name IS NULL`;
  const keys = rows.map(({ name }) => nameKey(name));
  await runner.query(fold, [...columns.map((column) => rows.map((row) => row[column])), keys]);
}

/**
 * The former key kept a few letters apart that simple case folding joins: U+0345, and U+1C80 to U+1C88. Of such names in one
 * folder the oldest row has the key; each other one keeps its name, content and id, and is found by its id and in lists. No name has
 * a control character.
 */
async function separateTwins(
  runner: QueryRunner,
  { name: table, primaryKey, scope, condition }: NamedTable,
): Promise<void> {
  const place = [...scope, 'folded_name'].join(', ');
  const isTwin = primaryKey.map((column) => `t.${column} = ranked.${column}`).join(' AND ');
  await runner.query(`
    UPDATE ${table} t SET folded_name = t.folded_name || E'\\x01' || t.id
      FROM (SELECT ${primaryKey.join(', ')}, row_number() OVER (PARTITION BY ${place} ORDER BY created_at, id) AS number
              FROM ${table} WHERE ${condition}) ranked
     WHERE ${isTwin} AND ranked.number > 1`);
}

/** Validated apart, so that the table is not locked while its rows are read. */
async function requireFoldedNames(runner: QueryRunner, { name: table }: NamedTable): Promise<void> {
  await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS name_is_folded`);
  await runner.query(
    `ALTER TABLE ${table} ADD CONSTRAINT name_is_folded CHECK (folded_name IS NOT NULL) NOT VALID`,
  );
  await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT name_is_folded`);
}
