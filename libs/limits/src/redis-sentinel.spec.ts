import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Secret } from '@vaultsvc/config';
import { inspectRedis, redisUrlOf, startRedisWithSentinel } from '@vaultsvc/testing/servers';
import { eventually, until } from '@vaultsvc/testing/waiting';
import {
  AccountLimiter,
  CredentialCache,
  RecordAuthenticator,
  RedisConnection,
  RedisUnavailable,
  type CredentialRecord,
} from './index.js';
import { redisCheck } from './check/redis-checks.js';
import { activeKey } from './testing/records.js';

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

  it('is the primary that a Sentinel names, also when the first Sentinel does not answer', async () => {
    const [first, second] = [await count(), await count()];
    expect(second.used).toBe(second.resetsAt === first.resetsAt ? first.used + 1 : 1);
  });

  it('OPEN-52: with REDIS_REVOCATION_REPLICAS=1 answers a revocation once its replica has it, and not while that one is down', async () => {
    const url = new URL(redisUrlOf('auth', group.primary.url));
    [url.hostname, url.port] = ['vaultsvc', ''];
    const auth = new RedisConnection({
      REDIS_URL: new Secret(url.href),
      REDIS_SENTINELS: new Secret([group.sentinel.url]),
      REDIS_ANSWER_MS: 1_000,
      REDIS_REVOCATION_REPLICAS: '1',
    });
    await auth.open();
    const authenticator = new RecordAuthenticator<CredentialRecord>([randomBytes(32)], 'credential');
    const cache = new CredentialCache(auth, authenticator);
    await until(() => cache.revoke('k:1', activeKey));
    group.replica.pause();
    await expect(cache.revoke('k:2', activeKey)).rejects.toBeInstanceOf(RedisUnavailable);
    expect(await cache.put('k:3', activeKey)).toBe(true);
    group.replica.resume();
    await until(() => cache.revoke('k:2', activeKey));
    auth.close();
  });

  it.each([
    ['auth', '1', 'resolves'],
    ['gateway', '0', 'resolves'],
    ['gateway', '1', 'rejects'],
  ] as const)(
    'is checked with the right to wait for replicas: %s with %s',
    async (user, replicas, outcome) => {
      const config = {
        REDIS_URL: new Secret(redisUrlOf(user, group.primary.url)),
        REDIS_ANSWER_MS: 2_500,
        REDIS_REVOCATION_REPLICAS: replicas,
      };
      await expect(redisCheck(config).run())[outcome].toBeDefined();
    },
  );

  it('is the new primary after a failover: calls are refused until then, and counted on from there', async () => {
    const before = await count();
    await untilReplicated();
    await group.primary.kill('SIGKILL');
    const refused = await count().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RedisUnavailable);
    const answered = await eventually(
      () => count().catch(() => undefined),
      (value) => value !== undefined,
      30,
    );
    // A new minute may have begun, which has a counter of its own.
    expect(answered?.used).toBeGreaterThan(answered?.resetsAt === before.resetsAt ? before.used : 0);
    const inspector = await inspectRedis(group.replica.url);
    expect(await inspector.command('ROLE')).toContain('master');
    inspector.close();
  });
});
