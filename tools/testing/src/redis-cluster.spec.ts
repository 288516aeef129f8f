import { describe, expect, it } from '@jest/globals';
import { createApiKey, listApiKeys, revokeApiKey, revokeSession } from '@vaultsvc/contracts/auth';
import { createSpark, listSparks } from '@vaultsvc/contracts/sparks';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { api, type Api } from '@vaultsvc/testing/http';
import { startRedisCluster } from '@vaultsvc/testing/servers';
import { eventually, withinOneMinute } from '@vaultsvc/testing/waiting';
import { mintApiKey, mintSession } from './accounts.js';
import { startPlatform } from './platform.js';

const LIMIT = 40;

/** All services on a Redis Cluster, each with its own rights there. */
const fixture = useFixture(
  async () => {
    const cluster = await startRedisCluster();
    // A late answer means a busy machine: a spec of the limiter kills its nodes.
    const settings = { ...cluster.settings, REDIS_ANSWER_MS: '30000', RATE_LIMIT_PER_MINUTE: String(LIMIT) };
    return { cluster, platform: await startPlatform(settings) };
  },
  async ({ cluster, platform }) => {
    await platform.stop();
    await cluster.stop();
  },
);

/** A client with an API key of a new account. */
const newCaller = async (): Promise<Api> => {
  const { apiKey } = await mintApiKey(fixture.platform.auth);
  return api(fixture.platform.url, { key: apiKey });
};
const list = (caller: Api) => caller.call(listSparks, { query: { limit: 1 } });
const text = { content_type: 'text/plain', ttl_minutes: 1, filename: null, with_kindling: false };
const create = (caller: Api, payload: string) => caller.call(createSpark, { body: { payload, ...text } });

describe('the platform on a Redis Cluster', () => {
  it('KEY-13 ENV-38 KEY-14: accepts an API key until it is revoked, and shows its last use', async () => {
    const owner = await newCaller();
    const { data } = await owner.call(createApiKey, { body: { name: 'second' } });
    const { api_key: key = '', api_key_id = '' } = data ?? {};
    const holder = api(fixture.platform.url, { key });
    expect((await list(holder)).status).toBe(200);
    const lastUse = async () => {
      const keys = (await owner.call(listApiKeys, { query: { limit: 10 } })).data?.api_keys;
      return keys?.find((one) => one.api_key_id === api_key_id)?.last_used_at;
    };
    expect(await eventually(lastUse, (at) => typeof at === 'number')).toBeGreaterThan(0);
    expect((await owner.call(revokeApiKey, { params: { api_key_id } })).status).toBe(200);
    expect(await list(holder)).toMatchObject({ status: 401, error: { code: 'AUTHENTICATION_ERROR' } });
    expect((await list(owner)).status).toBe(200);
  });

  it('OPEN-09: refuses the access tokens of a session that was ended', async () => {
    const { token, sessionId } = await mintSession(fixture.platform.auth);
    const caller = api(fixture.platform.url, { jwt: token });
    expect((await list(caller)).status).toBe(200);
    expect((await caller.call(revokeSession, { params: { session_id: sessionId } })).status).toBe(204);
    expect(await list(caller)).toMatchObject({ status: 401, error: { code: 'AUTHENTICATION_ERROR' } });
  });

  it(`ENV-32 ENV-34: answers ${LIMIT} calls of an account in a minute, and those of another one beside them`, async () => {
    const outcomes = await withinOneMinute(async () => {
      const [first, second] = [await newCaller(), await newCaller()];
      const answers = await Promise.all(Array.from({ length: LIMIT + 10 }, () => list(first)));
      const [answer] = answers.filter(({ status }) => status === 429);
      expect(answer).toMatchObject({
        error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: LIMIT, used: LIMIT } },
      });
      return [answers.filter(({ status }) => status === 200).length, (await list(second)).status];
    });
    expect(outcomes).toEqual([LIMIT, 200]);
  });

  it('ENV-10 ENV-11 OPEN-58: shows the pools, and what a Spark draws from them', async () => {
    const caller = await newCaller();
    const storage = async (payload: string) => {
      const { meta } = await create(caller, payload);
      return meta && 'pools' in meta ? meta.pools?.storage.used : undefined;
    };
    const before = await eventually(
      () => storage('x'),
      (used) => used !== undefined,
    );
    expect((await create(caller, 'y'.repeat(100_000))).status).toBe(201);
    await eventually(
      () => storage('x'),
      (used) => used !== undefined && used >= (before ?? 0) + 100_000,
    );
  });
});
