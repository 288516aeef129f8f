import { describe, expect, it } from '@jest/globals';
import {
  listIngots,
  searchIngots,
  type IngotListQuery,
  type IngotPage,
  type IngotSearchQuery,
} from '@vaultsvc/contracts/vaults';
import { Database, statement } from '@vaultsvc/database';
import { reasonOf } from '@vaultsvc/testing/harness';
import { fillVault, newVaultFixture, type VaultFixture } from '../testing/ingots.js';
import { usePlatform } from '../testing/platform.js';
import { searchesByPrefix } from './ingot-age-search-statements.js';
import { prefixRange } from '../keys/name-key.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });

const scope = ({ vault_id }: VaultFixture) => ({ vault_id });
const list = (on: VaultFixture, query: Partial<IngotListQuery> = {}) =>
  on.call(listIngots, { params: scope(on), query });
const search = (on: VaultFixture, query: Partial<IngotSearchQuery> = {}) =>
  on.call(searchIngots, { params: scope(on), query });
const namesIn = ({ ingots }: { ingots: { name: string }[] }) => ingots.map(({ name }) => name);

const noFilters = {
  q: null,
  contains: null,
  folder_id: null,
  file_type: null,
  min_size: null,
  max_size: null,
};

/** All pages in order. */
async function pages(on: VaultFixture, query: Partial<IngotSearchQuery>): Promise<IngotPage[]> {
  const found = [await search(on, query)];
  for (let cursor = found[0]?.next_cursor; cursor !== undefined; cursor = found.at(-1)?.next_cursor)
    found.push(await search(on, { ...query, cursor }));
  return found;
}

const fill = (on: VaultFixture, count: number) => fillVault(platform, on, count);

describe('listing ingots', () => {
  it('ING-13 ING-42: returns all fields of the ingots of all folders', async () => {
    const own = await newVaultFixture(platform);
    const folder_id = await own.folder();
    const { ingot_id } = await own.store({
      name: 'a.tar.gz',
      folderId: folder_id,
      accessCount: 2,
      bandwidthBytes: 9,
    });
    await own.store({ age: 60 });
    const { ingots, count, ...rest } = await list(own);
    expect([count, rest]).toEqual([2, {}]);
    expect(ingots[1]).toEqual({
      ingot_id,
      name: 'a.tar.gz',
      file_type: 'archive',
      size_bytes: 1_000,
      content_type: 'text/plain',
      status: 'active',
      folder_id,
      managed_by: null,
      upload_source: null,
      created_at: expect.any(Number),
      updated_at: ingots[1]?.created_at,
      modified_at: null,
      access_count: 2,
      total_bandwidth_bytes: 9,
    });
    expect(ingots[0]).toMatchObject({ folder_id: null });
  });

  it('ING-11 AMB-55 AMB-49: returns 1 to 200 ingots, by default 100, without a cursor', async () => {
    const own = await newVaultFixture(platform);
    expect(await list(own)).toEqual({ ingots: [], count: 0 });
    await fill(own, 201);
    expect((await list(own)).count).toBe(100);
    expect(await list(own, { limit: 200 })).toMatchObject({ count: 200 });
    expect(Object.keys(await list(own))).toEqual(['ingots', 'count']);
    for (const limit of [0, 201, 1.5, '5' as unknown as number])
      expect(await reasonOf(list(own, { limit }))).toBe('VALIDATION_ERROR');
  });

  it('ING-12 OPEN-18: sorts in every order, by default oldest first', async () => {
    const own = await newVaultFixture(platform);
    await own.store({
      name: 'b',
      sizeBytes: 9,
      contentType: 'c/c',
      age: 30,
      accessCount: 10,
      bandwidthBytes: 5e12,
    });
    await own.store({
      name: 'Ä',
      sizeBytes: 10,
      contentType: 'a/a',
      age: 20,
      accessCount: 9,
      bandwidthBytes: 6,
    });
    await own.store({
      name: 'A',
      sizeBytes: 5e12,
      contentType: 'b/b',
      age: 10,
      accessCount: 2,
      bandwidthBytes: 70,
    });
    const ascending = {
      name: ['A', 'b', 'Ä'],
      size: ['b', 'Ä', 'A'],
      content_type: ['Ä', 'A', 'b'],
      created_at: ['b', 'Ä', 'A'],
      access_count: ['A', 'Ä', 'b'],
      bandwidth: ['Ä', 'A', 'b'],
    } as const;
    for (const [sort_by, names] of Object.entries(ascending) as [
      keyof typeof ascending,
      readonly string[],
    ][]) {
      expect([sort_by, namesIn(await list(own, { sort_by }))]).toEqual([sort_by, names]);
      const descending = await list(own, { sort_by, sort_order: 'desc' });
      expect([sort_by, namesIn(descending)]).toEqual([sort_by, names.toReversed()]);
    }
    expect(namesIn(await list(own))).toEqual(ascending.created_at);
  });

  it('ING-12: rejects unknown orders', async () => {
    const own = await newVaultFixture(platform);
    for (const wrong of [
      { sort_by: 'status' },
      { sort_by: 'id; --' },
      { sort_by: 'constructor' },
      { sort_order: 'ASC' },
    ])
      expect(await reasonOf(list(own, wrong as Partial<IngotListQuery>))).toBe('VALIDATION_ERROR');
  });

  it('OPEN-18: sorts equal values by id, in the direction of the list', async () => {
    const own = await newVaultFixture(platform);
    await platform.sql(
      `INSERT INTO ingots (id, vault_id, account_id, name, folded_name, file_type, content_type, size_bytes, status)
       SELECT 'ing_' || substr(md5($1 || n), 1, 22), $1, $2, n::text, n::text, 'other', 'x/y', 1, 'active'
         FROM generate_series(1, 50) n`,
      [own.vault_id, own.caller.credential.accountId],
    );
    for (const sort_by of ['size', 'content_type', 'created_at', 'access_count', 'bandwidth'] as const) {
      const ids = (await list(own, { sort_by })).ingots.map(({ ingot_id }) => ingot_id);
      expect(ids).toEqual(ids.toSorted());
      const turned = await list(own, { sort_by, sort_order: 'desc' });
      expect(turned.ingots.map(({ ingot_id }) => ingot_id)).toEqual(ids.toReversed());
    }
  });

  it('ENV-41: returns the ingots of one vault only', async () => {
    const own = await newVaultFixture(platform);
    const beside = await newVaultFixture(platform, own.caller);
    await beside.store();
    expect(await list(own)).toEqual({ ingots: [], count: 0 });
    expect((await search(own)).count).toBe(0);
  });
});

describe('searching for ingots', () => {
  it('ING-20 ING-23 OPEN-18: returns newest first, by default 50, and echoes the filters', async () => {
    const own = await newVaultFixture(platform);
    await fill(own, 60);
    const found = await search(own);
    expect(Object.keys(found).toSorted()).toEqual(['count', 'filters', 'has_more', 'ingots', 'next_cursor']);
    expect(found).toMatchObject({ count: 50, has_more: true });
    expect(found.filters).toEqual({ ...noFilters, q: null });
    expect(namesIn(found).slice(0, 2)).toEqual(['File-60', 'File-59']);
    expect(namesIn(await search(own, { sort_order: 'asc' })).slice(0, 2)).toEqual(['File-1', 'File-2']);
    const filters = { q: 'FILE-1', file_type: 'image', min_size: 0, max_size: 50 } as const;
    const filtered = await search(own, filters);
    expect(namesIn(filtered)).toEqual(['File-10']);
    expect(filtered).toMatchObject({ filters: { ...noFilters, ...filters }, count: 1, has_more: false });
    expect(filtered).not.toHaveProperty('next_cursor');
  });

  it('ING-21: matches prefixes of names in any case and Unicode form, and nothing inside names', async () => {
    const own = await newVaultFixture(platform);
    const names = [
      'Report.pdf',
      'reporting',
      'My report',
      'Résumé',
      'ΑΣΟΣ.txt',
      'ﬁle.bin',
      '100%.txt',
      '1000.txt',
    ];
    for (const name of [...names, 'a_b', 'acb', 'back\\slash', 'back/slash']) await own.store({ name });
    const found = {
      rep: ['Report.pdf', 'reporting'],
      REPORT: ['Report.pdf', 'reporting'],
      port: [],
      RE: ['Report.pdf', 'reporting'],
      'RE\u0301': ['Résumé'],
      ασ: ['ΑΣΟΣ.txt'],
      ΑΣ: ['ΑΣΟΣ.txt'],
      'ΑΣΟΣ.': ['ΑΣΟΣ.txt'],
      fi: [],
      ﬁLE: ['ﬁle.bin'],
      '100%': ['100%.txt'],
      '100': ['100%.txt', '1000.txt'],
      '%': [],
      _: [],
      a_: ['a_b'],
      'back\\': ['back\\slash'],
      '\\': [],
      '*': [],
      "' OR ''='": [],
    };
    for (const [q, expected] of Object.entries(found))
      expect([q, namesIn(await search(own, { q })).toSorted()]).toEqual([q, expected]);
    expect((await search(own, { q: '' })).count).toBe(12);
    expect(await search(own, { q: '' })).toMatchObject({ filters: { q: '' } });
  });

  it('ING-22: filters by type and size, bounds included', async () => {
    const own = await newVaultFixture(platform);
    for (const [name, sizeBytes] of [
      ['a.png', 10],
      ['b.png', 20],
      ['c.mp4', 5_497_558_138_880],
    ] as const)
      await own.store({ name, sizeBytes });
    const found = async (query: Partial<IngotSearchQuery>) => namesIn(await search(own, query)).toSorted();
    expect(await found({ file_type: 'image' })).toEqual(['a.png', 'b.png']);
    expect(await found({ min_size: 20 })).toEqual(['b.png', 'c.mp4']);
    expect(await found({ max_size: 20 })).toEqual(['a.png', 'b.png']);
    expect(await found({ min_size: 11, max_size: 20, file_type: 'image' })).toEqual(['b.png']);
    expect(await found({ min_size: 5_497_558_138_880 })).toEqual(['c.mp4']);
    expect(await found({ min_size: 20, max_size: 10 })).toEqual([]);
    for (const wrong of [
      { file_type: 'picture' },
      { min_size: -1 },
      { max_size: 0.5 },
      { limit: 201 },
      { limit: 0 },
      { sort_order: 'up' },
    ])
      expect(await reasonOf(search(own, wrong as Partial<IngotSearchQuery>))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(search(own, { q: 'x'.repeat(256) }))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(search(own, { q: 'ﷺ'.repeat(255) }))).toBe('none');
  });

  it('ING-20 ENV-14: pages in both directions without duplicates or gaps', async () => {
    const own = await newVaultFixture(platform);
    await fill(own, 45);
    await platform.sql(`UPDATE ingots SET created_at = now() WHERE vault_id = $1 AND size_bytes > 20`, [
      own.vault_id,
    ]);
    for (const sort_order of ['asc', 'desc'] as const)
      for (const query of [{}, { q: 'file-' }, { q: 'file-', file_type: 'other' as const }]) {
        const found = await pages(own, { ...query, sort_order, limit: 10 });
        const names = found.flatMap(namesIn);
        expect(new Set(names).size).toBe(names.length);
        expect(names).toHaveLength(query.file_type ? 41 : 45);
        expect(found.slice(0, -1).every(({ count }) => count === 10)).toBe(true);
      }
  });

  it('ENV-14: rejects an invalid cursor', async () => {
    const own = await newVaultFixture(platform);
    for (const cursor of ['x', '[]', '["a"]', '[1,2]', '{}'])
      expect(await reasonOf(search(own, { cursor }))).toBe('CURSOR_INVALID');
  });

  it('ING-21: reads only the matching rows of 50,000 ingots', async () => {
    const own = await newVaultFixture(platform);
    await fill(own, 50_000);
    await platform.sql(`ANALYZE ingots`);
    const database = platform.service.context.get(Database);
    const [from, to] = prefixRange('file-4999');
    const all = { fileType: null, minSize: null, maxSize: null, createdAt: null, id: null };
    for (const { name, text, valuesOf } of Object.values(searchesByPrefix)) {
      const values = valuesOf({ ...all, vaultId: own.vault_id, limit: 51, from, to });
      const plan = await database.query(statement(`explain.${name}`, `EXPLAIN ${text}`), values);
      expect(JSON.stringify(plan)).toMatch(/Index.*ingots_by_folded_name.*folded_name >= .*folded_name < /);
    }
    expect((await search(own, { q: 'FILE-4999' })).count).toBe(11);
    expect((await search(own, { q: 'f', limit: 200 })).count).toBe(200);
  });
});
