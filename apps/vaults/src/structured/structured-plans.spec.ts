import { beforeAll, describe, expect, it } from '@jest/globals';
import { deleteVault } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { genericPlanOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { RemoveVaults } from '../removal/remove-vaults.job.js';
import { usePlatform } from '../testing/platform.js';
import { newStructuredFixture } from '../testing/structured.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  for (const text of [INSERT_VAULTS, INSERT_INGOTS, INSERT_STRUCTURED, INSERT_VALUES, `ANALYZE`])
    await platform.sql(text);
});

/** One statement is prepared only in some rounds of calls, and a round takes seconds on a busy machine. */
const WAIT_SECONDS = 90;

/** 200 vaults of 100 structured ingots with five keys each. */
const INSERT_VAULTS = `
  INSERT INTO vaults (id, account_id, name, folded_name) SELECT 'vlt_' || n, 'acc_' || n % 50, n, n FROM generate_series(1, 200) n`;
const INSERT_INGOTS = `
  INSERT INTO ingots (id, vault_id, account_id, name, folded_name, file_type, content_type, size_bytes, status, managed_by)
  SELECT 'ing_' || n, 'vlt_' || 1 + n % 200, 'acc_' || (1 + n % 200) % 50, n, n, 'other', 'application/json', 5, 'active', 'structured-ingots'
    FROM generate_series(1, 20000) n`;
const INSERT_STRUCTURED = `
  INSERT INTO structured_ingots (ingot_id, vault_id, account_id, wrapped_key, version, key_count)
  SELECT id, vault_id, account_id, sha256(id::bytea), 1, 5 FROM ingots`;
const INSERT_VALUES = `
  INSERT INTO structured_values (vault_id, ingot_id, blind, sealed_name, sealed_value, content_type, size_bytes, version)
  SELECT vault_id, id, sha256(id::bytea || n::text::bytea), '\\x00', '\\x00', 'text/plain', 1, 1 FROM ingots, generate_series(1, 5) n`;

/** Runs every operation on structured ingots once, except retrievals. */
async function runAllOperations(): Promise<void> {
  const own = await newStructuredFixture(platform);
  const { ingot_id } = await own.create({ a: 1, b: 2 }, 'lived');
  await own.patch(':lived', { set: { c: 1 }, delete: ['a'] });
  const patches = [1, 2, 3].map((n) => own.patch(ingot_id, { set: { c: n } }));
  await Promise.allSettled([own.create({ a: 1 }, 'lived'), ...patches]); // one of them runs into the overwrite
  await own.describe(ingot_id);
  await own.list();
  await own.remove(ingot_id);
  await own.create({ a: 1 });
  await own.call(deleteVault, { params: { vault_id: own.vault_id } });
  await platform.service.context.get(RemoveVaults).run();
}

interface Prepared {
  readonly name: string;
  readonly statement: string;
}

/** The statements about structured ingots that connections of the service have prepared so far. */
async function prepared(): Promise<Prepared[]> {
  const database = platform.service.context.get(Database);
  const connections = await Promise.all(Array.from({ length: 5 }, () => database.connect()));
  const found = await Promise.all(connections.map((on) => on.query<Prepared>(SELECT_PREPARED)));
  for (const connection of connections) connection.release();
  return found.flatMap(({ rows }) => rows);
}

const SELECT_PREPARED = `
  SELECT name, statement FROM pg_prepared_statements
   WHERE name LIKE 'vaults.%' AND name ~ 'structured|remove-ingots'`;

const STATEMENTS = [
  'vaults.find-structured',
  'vaults.list-structured-names',
  'vaults.find-structured-again',
  'vaults.insert-structured',
  'vaults.overwrite-structured',
  'vaults.advance-structured',
  'vaults.settle-structured',
  'vaults.delete-structured',
  'vaults.insert-structured-values',
  'vaults.remove-structured-values',
  'vaults.remove-values-of-structured',
  'vaults.remove-structured_values',
  'vaults.remove-ingots',
  'vaults.list-structured',
  'vaults.find-structured-holders',
];

describe('the generic plans of statements on structured ingots', () => {
  it('STR-03 STR-07: contain no sequential scan', async () => {
    const found = await eventually(
      async () => {
        await runAllOperations();
        return new Map((await prepared()).map(({ name, statement }) => [name, statement]));
      },
      (statements) => STATEMENTS.every((name) => statements.has(name)),
      WAIT_SECONDS,
    );
    for (const [name, statement] of found)
      expect([name, await genericPlanOf(platform.service, statement)]).toEqual([
        name,
        expect.not.stringMatching(/Seq Scan on (ingots|vaults|structured)|Filter: .*blind/),
      ]);
  });
});
