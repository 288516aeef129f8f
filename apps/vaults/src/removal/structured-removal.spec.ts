import { beforeAll, describe, expect, it } from '@jest/globals';
import { deleteVault } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '../testing/platform.js';
import { newStructuredFixture, type StructuredFixture } from '../testing/structured.js';
import { RemoveVaults } from './remove-vaults.job.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await stopSchedule(platform.service);
});

const runJob = () => platform.service.context.get(RemoveVaults).run();
const remove = (fixture: StructuredFixture) =>
  fixture.call(deleteVault, { params: { vault_id: fixture.vault_id } });
const left = async ({ vault_id }: StructuredFixture) =>
  platform.sql<{ table: string }>(
    `SELECT 'vaults' AS table FROM vaults WHERE id = $1
     UNION ALL SELECT 'ingots' FROM ingots WHERE vault_id = $1
     UNION ALL SELECT 'structured_ingots' FROM structured_ingots WHERE vault_id = $1
     UNION ALL SELECT 'structured_values' FROM structured_values WHERE vault_id = $1`,
    [vault_id],
  );
const gone = (fixture: StructuredFixture) =>
  eventually(
    () => left(fixture),
    (rows) => rows.length === 0,
  );
const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'four']));
/** A structured ingot with keys for several batches, one without keys, and an ordinary ingot. */
async function filled() {
  const fixture = await newStructuredFixture(platform);
  const large = await fixture.create(numbered(1_234));
  const empty = await fixture.create({});
  const standard = await fixture.store({ sizeBytes: 9 });
  return { fixture, large, empty, standard };
}

describe('VLT-24: the structured ingots of a deleted vault', () => {
  it('are deleted in batches with their keys and values, with one event each that has its stored bytes and no actor', async () => {
    const { fixture, large, empty, standard } = await filled();
    const other = await filled();
    await remove(fixture);
    await Promise.all([runJob(), runJob(), runJob()]);
    await gone(fixture);
    const { accountId: account_id } = fixture.caller.credential;
    const of = { account_id, vault_id: fixture.vault_id };
    const published = (await fixture.events()).filter(({ name }) => !name.endsWith('created'));
    expect(published).toHaveLength(3);
    expect(published).toEqual(
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
    expect(await other.fixture.rowCount()).toBe(1_234);
    expect((await other.fixture.list()).count).toBe(2);
  });

  it('cannot be opened after the commit of the deletion, before any row is deleted', async () => {
    const { fixture, large } = await filled();
    await platform.sql(
      `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$`,
    );
    await platform.sql(`CREATE TRIGGER keep BEFORE DELETE ON structured_values EXECUTE FUNCTION keep()`);
    await remove(fixture);
    await runJob();
    expect(await fixture.rowCount()).toBe(1_234);
    await expect(fixture.describe(large.ingot_id)).rejects.toMatchObject({ reason: 'VAULT_NOT_FOUND' });
    await expect(fixture.stored(large.ingot_id)).rejects.toMatchObject({ reason: 'VAULT_NOT_FOUND' });
    await platform.sql(`DROP TRIGGER keep ON structured_values`);
    await runJob();
    await gone(fixture);
  });

  it('are published only by the statement that deletes their rows, and the job continues after a crash', async () => {
    const { fixture } = await filled();
    await platform.sql(
      `CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stopped'; END $$`,
    );
    await platform.sql(`CREATE TRIGGER halt BEFORE DELETE ON structured_ingots EXECUTE FUNCTION halt()`);
    await remove(fixture);
    await runJob();
    const removedOf = async () =>
      (await fixture.events()).filter(({ name }) => name === 'vaults.structured-removed').length;
    expect([await fixture.rowCount(), await removedOf()]).toEqual([0, 0]);
    await platform.sql(`DROP TRIGGER halt ON structured_ingots`);
    await runJob();
    await gone(fixture);
    expect(await removedOf()).toBe(2);
  });

  it('keep the vault until another instance, which may crash, has deleted their values', async () => {
    const { fixture } = await filled();
    const other = await platform.service.context.get(Database).connect();
    try {
      await other.query('BEGIN');
      await other.query('DELETE FROM structured_values WHERE vault_id = $1', [fixture.vault_id]);
      await remove(fixture);
      await runJob();
      expect((await left(fixture)).map(({ table }) => table)).toContain('vaults');
      await other.query('ROLLBACK');
    } finally {
      other.release();
    }
    await runJob();
    await gone(fixture);
  });
});
