import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, type Api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { newApiKey, fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  const gateway = await harness.start(fixtureGateway, fixtureSettings);
  url = urlOf(gateway);
});

/** A client of a new account. */
const withKey = (changes = {}): Api & { accountId: string } => {
  const { key, record } = newApiKey(fakes, changes);
  return { ...api(url, { key }), accountId: record.accountId as string };
};
describe('ENV-15 ENV-16 ENV-17: cursors', () => {
  const list = (caller: Api, query: string, path = '/v1/widgets') =>
    caller.send({ method: 'GET', target: `${path}${query}` }) as Promise<{
      status: number;
      data: { items: { number: number }[]; next_cursor?: string; colour?: string; has_more: boolean };
    }>;

  it('ENV-13 ENV-14: lead through all pages and are absent on the last', async () => {
    const caller = withKey();
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await list(caller, cursor ? `?cursor=${cursor}` : '');
      seen.push(...data.items.map(({ number }) => number));
      expect(data.has_more).toBe('next_cursor' in data);
      cursor = data.next_cursor;
    } while (cursor);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('AMB-03 ENV-14: have the name of all lists, too, in a list that has another one, and are null there on the last page', async () => {
    const caller = withKey();
    const listOlder = async (query: string) =>
      (await caller.send({ method: 'GET', target: `/v1/others${query}` })).data as {
        items: object[];
        cursor: string | null;
        next_cursor?: string;
      };
    const { cursor, next_cursor } = await listOlder('?limit=3');
    expect(next_cursor).toEqual(expect.any(String));
    expect(cursor).toBe(next_cursor);
    const last = await listOlder(`?limit=3&cursor=${next_cursor}`);
    expect(last).toEqual({ items: [{ number: 4 }, { number: 5 }], cursor: null });
  });

  it('are refused when modified, used by another account, or used on another list', async () => {
    const caller = withKey();
    const cursor = (await list(caller, '')).data.next_cursor as string;
    const flipped = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
    expect(await list(caller, `?cursor=${flipped}`)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    });
    expect(await list(withKey(), `?cursor=${cursor}`)).toMatchObject({ status: 400 });
    expect(await list(caller, `?cursor=${cursor}`, '/v1/others')).toMatchObject({ status: 400 });
    expect(await list(caller, '?cursor=2')).toMatchObject({ status: 400 });
    expect(await list(caller, '?cursor=')).toMatchObject({ status: 400 });
  });

  it('carry their filters: a different filter in the query is refused, a different limit is not', async () => {
    const caller = withKey();
    const cursor = (await list(caller, '?colour=red')).data.next_cursor;
    expect((await list(caller, `?cursor=${cursor}`)).data.colour).toBe('red');
    expect((await list(caller, `?cursor=${cursor}&colour=red&limit=3`)).data.items).toHaveLength(3);
    expect(await list(caller, `?cursor=${cursor}&colour=blue`)).toMatchObject({ status: 400 });
    const plain = (await list(caller, '')).data.next_cursor;
    expect(await list(caller, `?cursor=${plain}&colour=blue`)).toMatchObject({ status: 400 });
  });
});
