import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { nameKey } from '@vaultsvc/contracts/names';
import { createMigrationSource, migrate } from '@vaultsvc/database';
import { serviceStorage } from '@vaultsvc/messaging/tables';
import { ownerUrlOf, testSchema, type TestSchema } from '@vaultsvc/testing/servers';
import { wireSettings } from '@vaultsvc/testing/wire';
import type { DataSource, QueryRunner } from 'typeorm';
import { CreateVaults1770000000000 } from './1770000000000-create-vaults.js';
import { CreateIngots1770000000001 } from './1770000000001-create-ingots.js';
import { FoldNames1770000000004 } from './1770000000004-fold-names.js';

/** The key of names before 0.1.0 (ADR 45). */
const formerKey = (name: string) =>
  name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');

const former = serviceStorage([CreateVaults1770000000000, CreateIngots1770000000001]);
const names = [
  'Report.pdf',
  'x².txt',
  'ＡＢＣ.txt',
  'E\u0301té',
  'Screen\u202fshot',
  'İ',
  '½',
  '\u1c80',
  'в',
  'ẞ',
];

let schema: TestSchema;
let source: DataSource;
const sql = <Row>(text: string, values: unknown[] = []) => source.query(text, values) as Promise<Row[]>;

beforeAll(async () => {
  schema = await testSchema('names');
  const config = loadConfig(StatefulConfig, {
    NATS_URL: 'nats://127.0.0.1:4222',
    PROFILE: 'local',
    ...wireSettings('stranger'),
    DATABASE_URL: ownerUrlOf(schema.databaseUrl),
    DATABASE_SCHEMA: schema.schema,
  });
  source = await createMigrationSource(config, former).initialize();
  await migrate(source, schema.schema);
  await sql(
    `INSERT INTO vaults (id, account_id, name, name_key) SELECT name, 'acc', name, key FROM unnest($1::text[], $2::text[]) n (name, key)`,
    [names, names.map(formerKey)],
  );
  for (const text of [insertFolders, insertIngots]) await sql(text, [names, names.map(formerKey), names[0]]);
  // More than two batches.
  await sql(
    `INSERT INTO ingots (id, vault_id, account_id, name, name_key, file_type, content_type, size_bytes, status)
             SELECT 'n' || n, $1, 'acc', 'n²' || n, 'n2' || n, 'other', 'text/plain', 1, 'active' FROM generate_series(1, 2500) n`,
    [names[0]],
  );
});
afterAll(async () => {
  await source.destroy();
  await schema.drop();
});

const insertFolders = `INSERT INTO folders (vault_id, id, name, name_key)
  SELECT $3, name, name, key FROM unnest($1::text[], $2::text[]) n (name, key)`;
const insertIngots = `INSERT INTO ingots (id, vault_id, account_id, name, name_key, file_type, content_type, size_bytes, status)
  SELECT name, $3, 'acc', name, key, 'other', 'text/plain', 1, 'active' FROM unnest($1::text[], $2::text[]) n (name, key)`;

/** One run of the migration whose process ends before its statement of this number. True: it reached the end. */
async function runUntil(statement: number): Promise<boolean> {
  const runner = source.createQueryRunner();
  let count = 0;
  const query = (text: string, values?: unknown[]) => {
    if (++count === statement) throw new Error('interrupted');
    return runner.query(text, values);
  };
  try {
    await new FoldNames1770000000004().up({ query } as unknown as QueryRunner);
    return true;
  } catch (error) {
    if ((error as Error).message !== 'interrupted') throw error;
    return false;
  } finally {
    await runner.release();
  }
}

describe('AMB-15 OPEN-11 VLT-02: the migration of names', () => {
  it('gives every row its key, also when it is interrupted before each of its statements, and keeps the former one', async () => {
    for (let statement = 1; !(await runUntil(statement)); statement += 1);
    expect(await runUntil(0)).toBe(true);
    for (const table of ['vaults', 'folders', 'ingots']) {
      const rows = await sql<Record<string, string>>(`SELECT id, name, name_key, folded_name FROM ${table}`);
      for (const { id, name, name_key, folded_name } of rows) {
        const isTwin = name === '\u1c80'; // the later one in the order of ids
        expect(folded_name).toBe(isTwin ? `${nameKey(name as string)}\u0001${id}` : nameKey(name as string));
        expect(name_key).toBe(formerKey(name as string));
      }
    }
    const invalid = `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid`;
    expect(await sql(invalid)).toEqual([]);
  });

  it('computes in PostgreSQL what nameKey does, for all letters that PostgreSQL normalizes alike', async () => {
    const letters = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
      (letter) => letter.isWellFormed() && letter !== '\0',
    );
    const rows = await sql<{ letter: string; nfc: string; key: string }>(
      `SELECT letter, normalize(letter, NFC) AS nfc, fold_name(letter) AS key FROM unnest($1::text[]) letter
        WHERE fold_name(letter) <> letter`,
      [letters],
    );
    const alike = rows.filter(({ letter, nfc }) => nfc === letter.normalize('NFC'));
    expect(alike.filter(({ letter, key }) => key !== nameKey(letter))).toEqual([]);
    const changed = new Set(rows.map(({ letter }) => letter));
    const missing = letters.filter((letter) => nameKey(letter) !== letter && !changed.has(letter));
    // Letters that compose with others only in a later Unicode than that of PostgreSQL.
    expect(missing.filter((letter) => letter.normalize('NFC') === letter)).toEqual([]);
  });
});

describe('AMB-15: names that were two', () => {
  it('stay two, but for letters that only the former rule kept apart', () => {
    const joined = new Map<string, Set<string>>();
    for (let point = 1; point <= 0x10ffff; point += 1) {
      const letter = String.fromCodePoint(point);
      const key = nameKey(letter);
      joined.set(key, (joined.get(key) ?? new Set()).add(formerKey(letter)));
    }
    const twins = [...joined].filter(([, keys]) => keys.size > 1).map(([key]) => key);
    expect(twins.sort()).toEqual(['ι', 'в', 'д', 'о', 'с', 'т', 'ъ', 'ѣ', 'ꙋ'].sort());
  });
});
