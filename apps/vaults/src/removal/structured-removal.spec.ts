import { beforeAll, describe, expect, it } from '@jest/globals';
import { deleteVault } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '../testing/platform.js';
import { newStructuredShelf, type StructuredShelf } from '../testing/structured.js';
import { RemoveVaults } from './remove-vaults.job.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await stopSchedule(platform.service);
});

const runJob = () => platform.service.context.get(RemoveVaults).run();
const remove = (shelf: StructuredShelf) => shelf.call(deleteVault, { params: { vault_id: shelf.vault_id } });
const left = async ({ vault_id }: StructuredShelf) =>
  platform.sql<{ table: string }>(
    `SELECT 'vaults' AS table FROM vaults WHERE id = $1
     UNION ALL SELECT 'ingots' FROM ingots WHERE vault_id = $1
     UNION ALL SELECT 'structured_ingots' FROM structured_ingots WHERE vault_id = $1
     UNION ALL SELECT 'structured_values' FROM structured_values WHERE vault_id = $1`,
    [vault_id],
  );
const gone = (shelf: StructuredShelf) =>
  eventually(
    () => left(shelf),
    (rows) => rows.length === 0,
  );
const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'four']));
/** One with keys for several batches, one without any, and an ingot that is none of them. */
async function filled() {
  const shelf = await newStructuredShelf(platform);
  const large = await shelf.create(numbered(1_234));
  const empty = await shelf.create({});
  const standard = await shelf.store({ sizeBytes: 9 });
  return { shelf, large, empty, standard };
}

describe('VLT-24: the structured ingots of a deleted vault', () => {
  it('are deleted in batches with their keys and values, with one event each that has its stored bytes and no actor', async () => {
    const { shelf, large, empty, standard } = await filled();
    const other = await filled();
    await remove(shelf);
    await Promise.all([runJob(), runJob(), runJob()]);
    await gone(shelf);
    const { accountId: account_id } = shelf.caller.credential;
    const of = { account_id, vault_id: shelf.vault_id };
    const told = (await shelf.told()).filter(({ name }) => !name.endsWith('created'));
    expect(told).toHaveLength(3);
    expect(told).toEqual(
      expect.arrayContaining([
        {
          name: 'vaults.structured-removed',
          payload: { ...of, ingot_id: large.ingot_id, size_bytes: 4 * 1_234 },
        },
        { name: 'vaults.structured-removed', payload: { ...of, ingot_id: empty.ingot_id, size_bytes: 0 } },
        {
          name: 'vaults.version-released',
          payload: {
            ...of,
            ingot_id: standard.ingot_id,
            version_id: standard.currentVersion,
            size_bytes: 9,
            reason: 'deleted',
          },
        },
      ]),
    );
    expect(await other.shelf.rowCount()).toBe(1_234);
    expect((await other.shelf.list()).count).toBe(2);
  });

  it('cannot be opened after the commit of the deletion, before any row is deleted', async () => {
    const { shelf, large } = await filled();
    await platform.sql(
      `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$`,
    );
    await platform.sql(`CREATE TRIGGER keep BEFORE DELETE ON structured_values EXECUTE FUNCTION keep()`);
    await remove(shelf);
    await runJob();
    expect(await shelf.rowCount()).toBe(1_234);
    await expect(shelf.describe(large.ingot_id)).rejects.toMatchObject({ reason: 'VAULT_NOT_FOUND' });
    await expect(shelf.stored(large.ingot_id)).rejects.toMatchObject({ reason: 'VAULT_NOT_FOUND' });
    await platform.sql(`DROP TRIGGER keep ON structured_values`);
    await runJob();
    await gone(shelf);
  });

  it('are published only by the statement that deletes their rows, and the job continues after a crash', async () => {
    const { shelf } = await filled();
    await platform.sql(
      `CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stopped'; END $$`,
    );
    await platform.sql(`CREATE TRIGGER halt BEFORE DELETE ON structured_ingots EXECUTE FUNCTION halt()`);
    await remove(shelf);
    await runJob();
    const removedOf = async () =>
      (await shelf.told()).filter(({ name }) => name === 'vaults.structured-removed').length;
    expect([await shelf.rowCount(), await removedOf()]).toEqual([0, 0]);
    await platform.sql(`DROP TRIGGER halt ON structured_ingots`);
    await runJob();
    await gone(shelf);
    expect(await removedOf()).toBe(2);
  });

  it('keep the vault until another instance, which may crash, has deleted their values', async () => {
    const { shelf } = await filled();
    const other = await platform.service.context.get(Database).connect();
    try {
      await other.query('BEGIN');
      await other.query('DELETE FROM structured_values WHERE vault_id = $1', [shelf.vault_id]);
      await remove(shelf);
      await runJob();
      expect((await left(shelf)).map(({ table }) => table)).toContain('vaults');
      await other.query('ROLLBACK');
    } finally {
      other.release();
    }
    await runJob();
    await gone(shelf);
  });
});
