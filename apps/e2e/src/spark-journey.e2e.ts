import { describe, expect, it } from '@jest/globals';
import { createSpark, deleteSpark, listSparks, readSpark } from '@vaultsvc/contracts/sparks';
import { api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { signUpOrganization } from './sign-in.js';
import { stack } from './stack.js';

const { api_url, link_url, account } = stack();
const caller = api(api_url, { key: account.api_key });
const create = async (body: Partial<InstanceType<typeof createSpark.body>>, client = caller) => {
  const { data } = await client.call(createSpark, { body: body as InstanceType<typeof createSpark.body> });
  if (!data) throw new Error('not created');
  return data;
};

describe('a caller with the first API key', () => {
  it('SPK-15 SPK-25 SPK-27 OPEN-62: creates a Spark and reads it exactly once', async () => {
    const { spark_id } = await create({ payload: 'hello' });
    const read = await caller.call(readSpark, { params: { spark_id } });
    expect(read.data).toMatchObject({ payload: 'hello', status: 'ash', was_active: true });
    const again = await caller.call(readSpark, { params: { spark_id } });
    expect(again).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  });

  it('ENV-13 ENV-14 SPK-16: pages through a list without gaps or duplicates', async () => {
    const { kindling, spark_id } = await create({ payload: '1', with_kindling: true });
    const others = await Promise.all(['2', '3', '4'].map((payload) => create({ payload, kindling })));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await caller.call(listSparks, { query: { kindling, limit: 1, cursor } });
      seen.push(...(data?.sparks ?? []).map((spark) => spark.spark_id));
      cursor = data?.next_cursor;
      expect(data?.has_more).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual([spark_id, ...others.map((other) => other.spark_id)].toSorted());
  });

  it('SPK-09 SPK-36 SPK-37 MISC-02: creates a link Spark on the link origin and deletes it, idempotently', async () => {
    const made = await create({ payload: 'https://example.com/a?b=c', content_type: 'text/uri-list' });
    expect(made.link_url).toBe(`${link_url}/${made.link_code}`);
    for (const _ of [1, 2]) {
      expect((await caller.call(deleteSpark, { params: { spark_id: made.spark_id } })).status).toBe(204);
    }
    expect((await caller.call(readSpark, { params: { spark_id: made.spark_id } })).status).toBe(404);
  });

  it('ENV-10 ENV-11 OPEN-58: sees the storage of a Spark in the pools, and its release after the read', async () => {
    // A new account, whose pools no other test uses.
    const { client } = await signUpOrganization('Pools of Sparks');
    const pools = async () => {
      const { meta } = await client.call(createSpark, {
        body: {
          payload: 'x',
          content_type: 'text/plain',
          ttl_minutes: 1,
          filename: null,
          with_kindling: false,
        },
      });
      return meta && 'pools' in meta ? meta.pools : undefined;
    };
    const before = await pools();
    const { spark_id } = await create({ payload: 'y'.repeat(100_000) }, client);
    const during = await eventually(
      pools,
      (now) => (now?.storage.used ?? 0) >= (before?.storage.used ?? 0) + 100_000,
    );
    await client.call(readSpark, { params: { spark_id } });
    await eventually(pools, (now) => (now?.storage.used ?? 0) < (during?.storage.used ?? 0));
    await eventually(pools, (now) => (now?.bandwidth.used ?? 0) >= (before?.bandwidth.used ?? 0) + 200_000);
  });
});
