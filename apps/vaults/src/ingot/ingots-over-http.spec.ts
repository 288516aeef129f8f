import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createIngot,
  createVault,
  deleteIngot,
  listIngots,
  readIngot,
  searchIngots,
  unsealVault,
  updateIngot,
  type IngotSearchQuery,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';

const platform = usePlatform();
let client: Api;
let params: { vault_id: string };
beforeAll(async () => {
  const key = (await mintApiKey(platform.auth)).apiKey;
  const { vault_id, vmk } = succeeded(
    await api(platform.url, { key }).call(createVault, { body: { name: 'names' } }),
  );
  params = { vault_id };
  const unsealing = { vmk, ttl_seconds: 3_600 };
  const { vat } = succeeded(await api(platform.url, { key }).call(unsealVault, { params, body: unsealing }));
  client = api(platform.url, { key, headers: { 'X-Vault-Access-Token': vat } });
});

const make = async (name: string) =>
  succeeded(await client.call(createIngot, { params, body: { name, size_bytes: 1, content_type: 'x/y' } }))
    .ingot_id;
/** The reference as encoded in the path. */
const get = (reference: string) =>
  client.send({ method: 'GET', target: `/v1/vaults/${params.vault_id}/ingots/${reference}` });

describe('an ingot named in a path', () => {
  const found = [
    ['Plain.pdf', ':plain.PDF'],
    ['Encoded colon.txt', '%3Aencoded%20colon.txt'],
    ['a/b.txt', ':a%2Fb.txt'],
    ['a/B/c.txt', ':A%2fb%2FC.txt'],
    ['one:two', ':one:two'],
    [':three', '::three'],
    ['50%', ':50%25'],
    ['50%2F', ':50%252F'],
    ['a+b c', ':a+b%20c'],
    ['what?#;=&@', ':what%3F%23;=&@'],
    ['..', ':..'],
    ['search', ':search'],
    ['Ünïcode.txt', `:${encodeURIComponent('u\u0308ni\u0308CODE.txt')}`],
    ['🔥'.repeat(255), `:${encodeURIComponent('🔥'.repeat(255))}`],
  ];

  it('ING-25: is found with any letters; each segment of the path is decoded separately and once', async () => {
    for (const [name, reference] of found as [string, string][]) {
      const ingot_id = await make(name);
      expect(await get(reference)).toMatchObject({ status: 200, data: { ingot_id, name } });
    }
  });

  it('ING-25: is not found by a path that does not name it', async () => {
    for (const reference of [':a/b.txt', ':50%', ':%', ':%zz', ':%ff', ':%00', ':', ':nobody', '%252Fa', ''])
      expect(await get(reference)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });

  it('ING-25: is accepted by every operation', async () => {
    const ingot_id = await make('Takes/All');
    const named = (reference: string) => ({ params: { ...params, ingot_id: reference } });
    const renamed = await client.call(updateIngot, { ...named(':takes/ALL'), body: { name: 'Given/All' } });
    expect(succeeded(renamed)).toMatchObject({ ingot_id, name: 'Given/All' });
    expect(succeeded(await client.call(readIngot, named(':given/all')))).toMatchObject({ ingot_id });
    const guarded = await client.call(deleteIngot, named(':GIVEN/ALL'));
    expect(guarded).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('a link or an invite of an ingot in a path', () => {
  it.each(['x', 'x'.repeat(513), 'x'.repeat(8_000)])(
    'LNK-07 SHR-10 SHR-11 SHR-14: is answered as unknown link or invite, not as unknown vault, at any length (%#)',
    async (nobody) => {
      const of = `/v1/vaults/${params.vault_id}/ingots/${await make(`of nobody ${nobody.length}`)}`;
      const body = { identity: 'a@x.test' };
      expect(
        await client.send({ method: 'POST', target: `${of}/sparklinks/${nobody}/deliver`, body }),
      ).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR', message: 'SparkLink not found' } });
      const unknown = { status: 404, error: { code: 'NOT_FOUND', message: 'Invite not found.' } };
      const target = `${of}/sharing/invite/${nobody}`;
      expect(await client.send({ method: 'DELETE', target })).toMatchObject(unknown);
      expect(await client.send({ method: 'POST', target: `${target}/resend` })).toMatchObject(unknown);
    },
  );
});

describe('searching over HTTP', () => {
  it('ING-20: is not routed to an ingot', async () => {
    expect(await get('search')).toMatchObject({ status: 200, data: { filters: { q: null } } });
  });

  it('ING-20 ING-23 ENV-14: continues with the filters in the cursor', async () => {
    for (let index = 0; index < 5; index += 1) await make(`Paged ${index}.png`);
    const search = (query: Partial<IngotSearchQuery>) =>
      client.call(searchIngots, { params, query: query as IngotSearchQuery });
    const filters = { q: 'pAGED', file_type: 'image', min_size: 1, max_size: 9 } as const;
    const first = succeeded(await search({ ...filters, limit: 2 }));
    const second = succeeded(await search({ limit: 2, cursor: first.next_cursor }));
    const third = succeeded(await search({ ...filters, limit: 2, cursor: second.next_cursor }));
    const names = [first, second, third].flatMap(({ ingots }) => ingots.map(({ name }) => name));
    expect(names).toEqual([4, 3, 2, 1, 0].map((index) => `Paged ${index}.png`));
    for (const page of [first, second, third])
      expect(page.filters).toEqual({ ...filters, contains: null, folder_id: null });
    expect(third.has_more).toBe(false);
    for (const other of [{ q: 'other' }, { file_type: 'video' as const }, { sort_order: 'asc' as const }])
      expect(await search({ ...other, cursor: first.next_cursor })).toMatchObject({ status: 400 });
    expect(await search({ cursor: `${first.next_cursor}x` })).toMatchObject({ status: 400 });
  });

  it('OPEN-18 ENV-14: goes on after the longest name with the longest filters', async () => {
    const longest = (last: string) => '𝄞'.repeat(254) + last;
    for (const last of ['a', 'b', 'c']) await make(longest(last));
    const text = '𝄞'.repeat(254);
    const query = {
      q: text,
      contains: text,
      folder_id: 'root',
      sort_by: 'name',
      sort_order: 'asc',
      limit: 2,
    } as const;
    const first = succeeded(await client.call(searchIngots, { params, query }));
    const next = { cursor: first.next_cursor, limit: 2 } as IngotSearchQuery;
    const second = succeeded(await client.call(searchIngots, { params, query: next }));
    expect(second).toMatchObject({ count: 1, ingots: [{ name: longest('c') }], filters: { contains: text } });
  });

  it('ING-11 ING-12 ING-20 ING-22 AMB-55: answers 400 for values out of range', async () => {
    const ask = async (target: string) =>
      (await client.send({ method: 'GET', target: `/v1/vaults/${params.vault_id}/${target}` })).status;
    for (const query of ['limit=201', 'limit=0', 'limit=1.5', 'limit=x', 'sort_by=status', 'sort_order=up'])
      expect([query, await ask(`ingots?${query}`)]).toEqual([query, 400]);
    for (const query of [
      'limit=201',
      'file_type=picture',
      'min_size=-1',
      'max_size=1e3',
      'cursor=x',
      'q=a&q=b',
    ])
      expect([query, await ask(`ingots/search?${query}`)]).toEqual([query, 400]);
    expect(await ask('ingots?limit=200&sort_by=bandwidth&sort_order=desc')).toBe(200);
    const answer = await client.call(listIngots, {
      params,
      query: { limit: 1, sort_by: 'name', sort_order: 'asc' },
    });
    expect(succeeded(answer).count).toBe(1);
  });
});

describe('an upload source over HTTP', () => {
  it('ENV-31 OPEN-24: is disabled, or unknown', async () => {
    const post = async (vaultId: string, source: string) => {
      const target = `/v1/vaults/${vaultId}/upload-sources/${source}/ingots`;
      const { status, error } = await client.send({ method: 'POST', target, body: {} });
      return [status, error?.code];
    };
    for (const source of ['portal', 'widget'])
      expect(await post(params.vault_id, source)).toEqual([404, 'UPLOAD_SOURCE_DISABLED']);
    expect(await post(params.vault_id, 'door')).toEqual([404, 'NOT_FOUND']);
    expect(await post(newId('vlt_'), 'portal')).toEqual([404, 'NOT_FOUND']);
    expect(await post('vlt_x', 'portal')).toEqual([404, 'NOT_FOUND']);
  });
});
