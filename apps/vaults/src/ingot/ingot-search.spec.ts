import { describe, expect, it } from '@jest/globals';
import { searchIngots, updateIngot, type IngotPage, type IngotSearchQuery } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { reasonOf } from '@vaultsvc/testing/harness';
import { fillVault, newVaultFixture, type VaultFixture } from '../testing/ingots.js';
import { usePlatform } from '../testing/platform.js';
import { AFTER_ALL_NAMES, searchOf } from './ingot-search-statements.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });

type Query = Partial<IngotSearchQuery>;
const search = (on: VaultFixture, query: Query = {}) =>
  on.call(searchIngots, { params: { vault_id: on.vault_id }, query });
const namesIn = ({ ingots }: IngotPage) => ingots.map(({ name }) => name);

/** All pages in order. */
async function pages(on: VaultFixture, query: Query): Promise<IngotPage[]> {
  const found = [await search(on, query)];
  for (let cursor = found[0]?.next_cursor; cursor !== undefined; cursor = found.at(-1)?.next_cursor)
    found.push(await search(on, { ...query, cursor }));
  return found;
}
const allNames = async (on: VaultFixture, query: Query) => (await pages(on, query)).flatMap(namesIn);
const byName = { sort_by: 'name', sort_order: 'asc' } as const;

describe('searching a folder', () => {
  it('OPEN-18 ENV-13 ENV-14: pages through more than 200 ingots of a folder by name, both ways', async () => {
    const own = await newVaultFixture(platform);
    const folder_id = await own.folder();
    await fillVault(platform, own, 450, folder_id);
    await own.store({ name: 'file-0 at the root' });
    await own.store({ name: 'file-0 elsewhere', folderId: await own.folder() });
    const names = Array.from({ length: 450 }, (_, n) => `File-${n + 1}`).toSorted();
    const found = await pages(own, { ...byName, folder_id, limit: 200 });
    expect(found.map(({ count, has_more }) => [count, has_more])).toEqual([
      [200, true],
      [200, true],
      [50, false],
    ]);
    expect(found.flatMap(namesIn)).toEqual(names);
    const descending = { sort_by: 'name', sort_order: 'desc', folder_id, limit: 200 } as const;
    expect(await allNames(own, descending)).toEqual(names.toReversed());
    expect(await search(own, { ...byName, folder_id, limit: 1 })).toMatchObject({ filters: { folder_id } });
  });

  it('OPEN-18: lists the ingots in no folder as those of root', async () => {
    const own = await newVaultFixture(platform);
    const folder_id = await own.folder();
    for (const name of ['b', 'a', 'C']) await own.store({ name });
    await own.store({ name: 'aa', folderId: folder_id });
    expect(await allNames(own, { ...byName, folder_id: 'root', limit: 1 })).toEqual(['a', 'b', 'C']);
    expect(await allNames(own, { ...byName, limit: 1 })).toEqual(['a', 'aa', 'b', 'C']);
  });

  it('OPEN-18: pages by creation, the newest first, also with equal times', async () => {
    const own = await newVaultFixture(platform);
    const folder_id = await own.folder();
    await fillVault(platform, own, 45, folder_id);
    await platform.sql(`UPDATE ingots SET created_at = now() WHERE vault_id = $1 AND size_bytes > 20`, [
      own.vault_id,
    ]);
    const found = await allNames(own, { folder_id, limit: 10 });
    expect(new Set(found).size).toBe(45);
    expect(found.slice(25)).toEqual(Array.from({ length: 20 }, (_, n) => `File-${20 - n}`));
    expect(await allNames(own, { folder_id, limit: 10, sort_order: 'asc' })).toEqual(found.toReversed());
  });

  it('OPEN-18: refuses an unknown folder, also one of another vault', async () => {
    const own = await newVaultFixture(platform);
    const other = await newVaultFixture(platform, own.caller);
    await own.folder();
    for (const folder_id of [newId('fld_'), await other.folder()])
      expect(await reasonOf(search(own, { folder_id }))).toBe('FOLDER_NOT_FOUND');
    for (const folder_id of ['Root', '', 'fld_x', `${newId('fld_')} `, null as unknown as string])
      expect([folder_id, await reasonOf(search(own, { folder_id }))]).toEqual([
        folder_id,
        'VALIDATION_ERROR',
      ]);
  });
});

describe('searching by a part of the name', () => {
  it('OPEN-18: finds names that contain it, in any case and Unicode form, and nothing else', async () => {
    const own = await newVaultFixture(platform);
    const names = [
      'Report.pdf',
      'My REPORT',
      'Résumé',
      'ΑΣΟΣ.txt',
      '100%.txt',
      '1000.txt',
      'a_b',
      'acb',
      'back\\slash',
    ];
    for (const name of names) await own.store({ name });
    const found: Record<string, string[]> = {
      port: ['My REPORT', 'Report.pdf'],
      'SUME\u0301': ['Résumé'],
      σος: ['ΑΣΟΣ.txt'],
      '0%.': ['100%.txt'],
      '%': ['100%.txt'],
      _: ['a_b'],
      'k\\s': ['back\\slash'],
      "' OR ''='": [],
      '\u0001': [],
    };
    for (const [contains, expected] of Object.entries(found)) {
      expect([contains, await allNames(own, { ...byName, contains })]).toEqual([contains, expected]);
      const byAge = await allNames(own, { contains });
      expect([contains, byAge.toSorted()]).toEqual([contains, expected]);
    }
    expect(await search(own, { contains: 'PORT' })).toMatchObject({
      filters: { contains: 'PORT' },
      count: 2,
    });
    expect((await search(own, { contains: '' })).count).toBe(names.length);
    expect(await reasonOf(search(own, { contains: 'x'.repeat(256) }))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(search(own, { sort_by: 'size' as 'name' }))).toBe('VALIDATION_ERROR');
  });

  it.each(['root', 'folder', 'vault'])(
    'OPEN-18 ING-21: finds the name that is the prefix itself, by name in both orders: %s',
    async (scope) => {
      const own = await newVaultFixture(platform);
      const folder_id = scope === 'folder' ? await own.folder() : undefined;
      for (const name of ['Plan', 'plan.txt', 'Plan.txt.old', 'Plam', 'Plao'])
        await own.store({ name, ...(folder_id && { folderId: folder_id }) });
      const where = scope === 'vault' ? {} : { folder_id: folder_id ?? 'root' };
      for (const limit of [1, 10]) {
        const query = { ...byName, ...where, q: 'PLAN.txt', limit };
        expect(await allNames(own, query)).toEqual(['plan.txt', 'Plan.txt.old']);
        expect(await allNames(own, { ...query, sort_order: 'desc' })).toEqual(['Plan.txt.old', 'plan.txt']);
        expect(await allNames(own, { ...query, contains: 'txt' })).toEqual(['plan.txt', 'Plan.txt.old']);
      }
    },
  );

  it('OPEN-18 ING-22: combines it with folder, prefix, category and size', async () => {
    const own = await newVaultFixture(platform);
    const folder_id = await own.folder();
    await fillVault(platform, own, 120, folder_id);
    await fillVault(platform, own, 120);
    const filters = {
      folder_id,
      q: 'FILE-1',
      contains: '0',
      file_type: 'image',
      min_size: 20,
      max_size: 110,
    } as const;
    for (const order of [byName, { sort_by: 'created_at', sort_order: 'asc' }] as const)
      expect(await allNames(own, { ...filters, ...order, limit: 1 })).toEqual(['File-100', 'File-110']);
    expect((await search(own, filters)).filters).toEqual(filters);
    expect(await allNames(own, { ...byName, contains: '119', limit: 1 })).toEqual(['File-119', 'File-119']);
  });

  it('OPEN-18 ENV-41: finds ingots of the vault alone, also those that a product manages', async () => {
    const own = await newVaultFixture(platform);
    const beside = await newVaultFixture(platform, own.caller);
    await beside.store({ name: 'secret plan' });
    await own.store({ name: 'managed plan', managedBy: 'structured-ingots' });
    expect(await allNames(own, { contains: 'plan' })).toEqual(['managed plan']);
  });

  it('ENV-14: goes on after a row that was renamed or deleted between the pages', async () => {
    const own = await newVaultFixture(platform);
    for (const name of ['a1', 'b1', 'c1', 'd1']) await own.store({ name });
    const first = await search(own, { ...byName, contains: '1', limit: 2 });
    const ingot_id = first.ingots[1]?.ingot_id as string;
    await own.call(updateIngot, { params: { vault_id: own.vault_id, ingot_id }, body: { name: 'z' } });
    const cursor = first.next_cursor as string;
    expect(namesIn(await search(own, { ...byName, contains: '1', limit: 2, cursor }))).toEqual(['c1', 'd1']);
  });

  it('ENV-14: rejects an invalid cursor', async () => {
    const own = await newVaultFixture(platform);
    for (const cursor of ['x', '[]', '["a"]', '[1,2]', '{}'])
      expect(await reasonOf(search(own, { ...byName, cursor }))).toBe('CURSOR_INVALID');
  });
});

describe('a search of a large vault', () => {
  it('OPEN-18: reads 10,000 rows of an index for a page at most, and goes on where it stopped', async () => {
    const own = await newVaultFixture(platform);
    const folder_id = await own.folder();
    await fillVault(platform, own, 25_000, folder_id);
    await fillVault(platform, own, 25_000);
    await platform.sql(`VACUUM ANALYZE ingots`);
    const rare = { contains: '-24999', limit: 10 } as const;
    for (const scope of [{ folder_id }, { folder_id: 'root' }])
      for (const sort_by of ['name', 'created_at'] as const) {
        const found = await pages(own, { ...rare, ...scope, sort_by, sort_order: 'asc' });
        expect(found.flatMap(namesIn)).toEqual(['File-24999']);
        expect(found.map(({ has_more }) => has_more)).toEqual([true, true, false]);
      }
    await expectPlans(own, folder_id);
  });

  const indexes = {
    'vault name': 'ingots_by_folded_name',
    'vault created_at': 'ingots_by_age',
    'folder name': 'ingots_folded_name',
    'folder created_at': 'ingots_by_folder_age',
    'root name': 'ingots_folded_name',
    'root created_at': 'ingots_by_folder_age',
  };

  /** As PostgreSQL plans for these values, and for all. */
  async function expectPlans({ vault_id: vaultId }: VaultFixture, folderId: string): Promise<void> {
    for (const mode of ['force_custom_plan', 'force_generic_plan'])
      for (const [name, index] of Object.entries(indexes)) {
        const [scope, sort] = name.split(' ') as ['vault' | 'folder' | 'root', 'name' | 'created_at'];
        const begins =
          sort === 'name' ? { asc: '', desc: AFTER_ALL_NAMES } : { asc: '-infinity', desc: 'infinity' };
        for (const order of ['asc', 'desc'] as const)
          for (const isFiltered of [false, true]) {
            const find = searchOf({ scope, sort, order, isFiltered });
            const filters = { part: 'x', fileType: null, minSize: null, maxSize: null, limit: 51 };
            const range = { from: '', to: AFTER_ALL_NAMES, afterKey: begins[order], afterId: '' };
            const values = find.valuesOf({ vaultId, folderId, ...range, ...filters, scanMax: 10_000 });
            const plan = await planOf(find.text, values, mode);
            expect([mode, find.name, plan]).toEqual([
              mode,
              find.name,
              expect.stringMatching(`using ${index} on`),
            ]);
            expect(plan).not.toMatch(/Seq Scan on ingots|Bitmap/);
          }
      }
  }

  const planOf = (text: string, values: unknown[], mode: string): Promise<string> =>
    platform.service.context.get(Database).transaction(async ({ manager }) => {
      const given = values.map((value) => (value === null ? 'NULL' : `'${String(value)}'`));
      await manager.query(`SET LOCAL plan_cache_mode = ${mode}`);
      await manager.query(`PREPARE planned AS ${text}`);
      const plan = await manager.query<object[]>(`EXPLAIN (COSTS OFF) EXECUTE planned (${given.join(', ')})`);
      await manager.query(`DEALLOCATE planned`);
      return JSON.stringify(plan).replaceAll(/\u{10ffff}+/gu, '…');
    });
});
