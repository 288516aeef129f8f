import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from './client.js';
import { pages, paginate } from './paginate.js';
import { ScriptedServer, success } from './testing/scripted-server.js';

let server: ScriptedServer;
beforeAll(async () => void (server = await ScriptedServer.start()));
afterAll(() => server.stop());

const client = () => createClient({ url: server.url });
const vault = (name: string) => ({ vault_id: `vlt_${name}`, name });

describe('The pages of a list', () => {
  it('SDK-06: are read one by one until there is no next_cursor, with the query of the caller', async () => {
    server.script(
      success({ vaults: [vault('a'), vault('b')], count: 2, has_more: true, next_cursor: 'c1' }),
      success({ vaults: [vault('c')], count: 1, has_more: false }),
    );
    const names: string[] = [];
    for await (const { name } of paginate(client(), '/v1/vaults', { params: { query: { limit: 2 } } }))
      names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/vaults?limit=2',
      '/v1/vaults?limit=2&cursor=c1',
    ]);
  });

  it('SDK-06: end at a cursor of null, in lists that have one', async () => {
    server.script(
      success({ dvaks: [{ use_count: 1 }], cursor: 'c1', has_more: true }),
      success({ dvaks: [{ use_count: 2 }], cursor: null, has_more: false }),
    );
    const found: unknown[] = [];
    const params = { path: { vault_id: 'vlt_a' } };
    for await (const { use_count } of paginate(client(), '/v1/vaults/{vault_id}/dvaks', { params }))
      found.push(use_count);
    expect(found).toEqual([1, 2]);
  });

  it('SDK-06: are not read further than the caller reads', async () => {
    server.script(success({ vaults: [vault('a')], count: 1, has_more: true, next_cursor: 'c1' }));
    for await (const { vaults } of pages(client(), '/v1/vaults')) {
      expect(vaults).toHaveLength(1);
      break;
    }
    expect(server.requests).toHaveLength(1);
  });
});
