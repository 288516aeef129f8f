import { describe, expect, it } from '@jest/globals';
import { decode, decodeQuery } from '@vaultsvc/contracts';
import { SparkList, SparkListQuery } from '@vaultsvc/contracts/sparks';
import { accountContext } from '@vaultsvc/testing/harness';
import { timed } from '@vaultsvc/testing/waiting';
import { linksOf } from '../testing/links.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();

const list = (query: Record<string, string>, context: ReturnType<typeof accountContext>) =>
  platform.list(query, context);
const statuses = async (query: Record<string, string>, context: ReturnType<typeof accountContext>) =>
  Object.fromEntries((await list(query, context)).sparks.map((spark) => [spark.spark_id, spark.status]));

describe('GET /v1/sparks', () => {
  it('SPK-18 SPK-19: returns Spark objects, never content', async () => {
    const caller = accountContext();
    const made = await platform.create({ payload: 'hidden', filename: 'a.txt', ttl_minutes: 5 }, caller);
    const page = await list({}, caller);
    expect(page).toEqual({
      sparks: [
        {
          spark_id: made.spark_id,
          account_id: caller.credential.accountId,
          content_type: 'text/plain',
          filename: 'a.txt',
          status: 'active',
          size_bytes: 6,
          ttl_minutes: 5,
          created_at: made.created_at,
          expires_at: made.expires_at,
          burned_at: null,
          time_remaining: expect.any(Number),
          created_by: { kind: 'api_key', id: caller.credential.credentialId, name: null },
        },
      ],
      count: 1,
      has_more: false,
    });
    expect(decode(SparkList, page)).toMatchObject(page);
  });

  it('SPK-09 SPK-19: shows the link of a link Spark only', async () => {
    const caller = accountContext();
    const link = await platform.create(
      { payload: 'https://example.com', content_type: 'text/uri-list' },
      caller,
    );
    await platform.create({ payload: 'plain' }, caller);
    const [plain, linked] = (await list({}, caller)).sparks;
    expect(linked).toMatchObject({ link_url: link.link_url, link_code: link.link_code });
    expect(plain).not.toHaveProperty('link_url');
    expect(plain).not.toHaveProperty('filename');
    expect(plain).not.toHaveProperty('kindling');
  });

  it('SPK-21 SPK-19: shows no link of a shared text, because other accounts list its kindling', async () => {
    const caller = accountContext();
    const { spark_id, kindling } = await platform.create({ payload: 'x', with_kindling: true }, caller);
    await linksOf(platform).share(spark_id, {}, caller);
    for (const reader of [caller, accountContext()]) {
      const [spark] = (await list({ kindling: kindling as string }, reader)).sparks;
      expect(spark).toMatchObject({ spark_id });
      expect(spark).not.toHaveProperty('link_url');
      expect(spark).not.toHaveProperty('link_code');
    }
  });

  it('SPK-16 ENV-13 ENV-14: pages of one, newest first, contain every Spark once', async () => {
    const caller = accountContext();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await platform.create({ payload: `${i}` }, caller)).spark_id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: '1', ...(cursor && { cursor }) }, caller);
      expect(page.count).toBe(1);
      seen.push(...page.sparks.map((spark) => spark.spark_id));
      expect('next_cursor' in page).toBe(page.has_more);
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(ids);
  });

  it('ENV-13: orders Sparks created at the same time by id and loses none between pages', async () => {
    const caller = accountContext();
    const ids = await Promise.all(
      Array.from({ length: 7 }, async () => (await platform.create({ payload: 'x' }, caller)).spark_id),
    );
    await platform.sql(
      `UPDATE sparks SET created_at = '2026-01-01 00:00:00.123456+00' WHERE account_id = $1`,
      [caller.credential.accountId],
    );
    const first = await list({ limit: '3' }, caller);
    const second = await list({ limit: '500', cursor: first.next_cursor as string }, caller);
    expect([...first.sparks, ...second.sparks].map((spark) => spark.spark_id).sort()).toEqual(
      [...ids].sort(),
    );
  });

  it('SPK-16: accepts a limit of 1 to 500, 100 by default, and rejects a malformed cursor with 400', async () => {
    const query = (text: string) => decodeQuery(SparkListQuery, new URLSearchParams(text));
    expect(query('').limit).toBe(100);
    expect(query('limit=500').limit).toBe(500);
    for (const text of ['limit=0', 'limit=501', 'limit=1.5', 'limit=x', 'limit=1&limit=2'])
      expect(() => query(text)).toThrow();
    await expect(list({ cursor: '["one key"]' }, accountContext())).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('the Sparks in a list', () => {
  it('SPK-21 SPK-22: are those of the account, or all of a kindling for every account', async () => {
    const [a, b] = [accountContext(), accountContext()];
    const own = await platform.create({ payload: 'x' }, a);
    const grouped = await platform.create({ payload: 'y', with_kindling: true }, a);
    expect(await list({}, b)).toMatchObject({ sparks: [], count: 0, has_more: false });
    const kindling = grouped.kindling as string;
    const seen = (await list({ kindling }, b)).sparks;
    expect(seen).toMatchObject([
      { spark_id: grouped.spark_id, account_id: a.credential.accountId, kindling },
    ]);
    expect(Object.keys(await statuses({}, a)).sort()).toEqual([own.spark_id, grouped.spark_id].sort());
    expect(await list({ kindling: `kdl_${'x'.repeat(22)}` }, a)).toMatchObject({ count: 0 });
  });

  it('SPK-17 AMB-07: are filtered by active or ash; expired is not a filter', async () => {
    const caller = accountContext();
    const [fresh, burned, late] = await Promise.all(
      ['a', 'b', 'c'].map((payload) => platform.create({ payload }, caller)),
    );
    await platform.read(burned!.spark_id, caller);
    await platform.age(late!.spark_id, '25 hours');
    expect(await statuses({}, caller)).toEqual({
      [fresh!.spark_id]: 'active',
      [burned!.spark_id]: 'ash',
      [late!.spark_id]: 'expired',
    });
    expect(await statuses({ status: 'active' }, caller)).toEqual({ [fresh!.spark_id]: 'active' });
    expect(await statuses({ status: 'ash' }, caller)).toEqual({ [burned!.spark_id]: 'ash' });
    for (const status of ['expired', 'reading', 'ACTIVE', '']) {
      expect(() => decodeQuery(SparkListQuery, new URLSearchParams({ status }))).toThrow();
    }
  });

  it('SPK-20 SPK-23: are expired from the second of their expiry, with no time remaining', async () => {
    const caller = accountContext();
    const { spark_id, expires_at } = await platform.create({ payload: 'x', ttl_minutes: 1 }, caller);
    const { result, from, to } = await timed(() => list({}, caller));
    const [young] = result.sparks;
    expect(young?.time_remaining).toBeGreaterThanOrEqual(expires_at - to);
    expect(young?.time_remaining).toBeLessThanOrEqual(Math.min(60, expires_at - from + 1));
    await platform.age(spark_id, '30 seconds');
    const [older] = (await list({}, caller)).sparks;
    expect(older?.time_remaining).toBeLessThanOrEqual(30);
    expect(older?.status).toBe('active');
    await platform.age(spark_id, '30 seconds');
    expect((await list({}, caller)).sparks).toMatchObject([
      { status: 'expired', time_remaining: 0, burned_at: null },
    ]);
  });

  it('SPK-24 SPK-33: include ash with its burned_at until its expiry, and not longer', async () => {
    const caller = accountContext();
    const { spark_id } = await platform.create({ payload: 'x', ttl_minutes: 2 }, caller);
    const { burned_at } = await platform.read(spark_id, caller);
    expect((await list({}, caller)).sparks).toMatchObject([{ spark_id, status: 'ash', burned_at }]);
    await platform.age(spark_id, '90 seconds');
    expect(await list({}, caller)).toMatchObject({ count: 1 });
    await platform.age(spark_id, '30 seconds');
    expect(await list({}, caller)).toMatchObject({ count: 0 });
  });

  it('AMB-07: include an unread Spark until a day after its expiry', async () => {
    const caller = accountContext();
    const { spark_id } = await platform.create({ payload: 'x', ttl_minutes: 1 }, caller);
    await platform.age(spark_id, '23 hours 59 minutes');
    expect(await statuses({}, caller)).toEqual({ [spark_id]: 'expired' });
    await platform.age(spark_id, '3 minutes');
    expect(await list({}, caller)).toMatchObject({ count: 0 });
  });

  it('SPK-30: show a Spark under a read lock as reading, and the filter active includes it', async () => {
    const caller = accountContext();
    const { spark_id } = await platform.create({ payload: 'x' }, caller);
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [spark_id],
    );
    expect(await statuses({ status: 'active' }, caller)).toEqual({ [spark_id]: 'reading' });
    await platform.ageLock(spark_id, '31 seconds');
    expect(await statuses({ status: 'active' }, caller)).toEqual({ [spark_id]: 'active' });
  });
});
