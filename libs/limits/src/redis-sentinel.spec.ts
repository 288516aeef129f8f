import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { inspectRedis, redisUrlOf, startRedisWithSentinel } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { AccountLimiter } from './account-limiter.js';
import { RedisConnection, RedisUnavailable } from './redis-connection.js';

const LIMIT = 1_000_000;
let group: Awaited<ReturnType<typeof startRedisWithSentinel>>;
let redis: RedisConnection;

beforeAll(async () => {
  group = await startRedisWithSentinel();
  const url = new URL(redisUrlOf('gateway', group.primary.url));
  [url.hostname, url.port] = ['vaultsvc', ''];
  const sentinels = ['redis://absent:x@127.0.0.1:1', group.sentinel.url];
  redis = new RedisConnection({
    REDIS_URL: new Secret(url.href),
    REDIS_SENTINELS: new Secret(sentinels),
    REDIS_ANSWER_MS: 2_500,
  });
  await redis.open();
});
afterAll(async () => {
  redis.close();
  await Promise.all(Object.values(group).map((server) => server.stop()));
});

/** Whether a replica has all that its primary has acknowledged. */
async function untilReplicated() {
  const inspector = await inspectRedis(group.primary.url);
  expect(await inspector.command('WAIT', '1', '10000')).toBe(1);
  inspector.close();
}

describe('ENV-36: Redis by Sentinel', () => {
  const count = () => new AccountLimiter(redis).count('acc_1', LIMIT);
  const used = async () => (await count()).used;

  it('is the primary that a Sentinel names, also when the first Sentinel does not answer', async () => {
    const first = await used();
    expect(await used()).toBe(first + 1);
  });

  it('is the new primary after a failover: calls are refused until then, and counted on from there', async () => {
    await count();
    await untilReplicated();
    await group.primary.kill('SIGKILL');
    const refused = await count().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RedisUnavailable);
    const answered = await eventually(
      () => used().catch(() => undefined),
      (value) => value !== undefined,
      30,
    );
    expect(answered).toBeGreaterThan(1);
    const inspector = await inspectRedis(group.replica.url);
    expect(await inspector.command('ROLE')).toContain('master');
    inspector.close();
  });
});
