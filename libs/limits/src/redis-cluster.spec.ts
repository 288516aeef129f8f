import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Secret } from '@vaultsvc/config';
import {
  redisUrlOf,
  startRedisCluster,
  type RedisClusterServers,
  type TestServer,
} from '@vaultsvc/testing/servers';
import { eventually, mapConcurrently, until } from '@vaultsvc/testing/waiting';
import {
  AccountLimiter,
  CredentialCache,
  PoolSnapshotCache,
  RateLimiter,
  RecordAuthenticator,
  RedisConnection,
  RedisUnavailable,
  type CredentialRecord,
  type PoolSnapshot,
} from './index.js';
import { slotOf } from './slot-map.js';
import { activeKey } from './testing/records.js';

const ANSWER_MS = 3_000;
const ROUNDS = 3;
const LIMIT = 1_000_000;
const credentials = new RecordAuthenticator<CredentialRecord>([randomBytes(32)], 'credential');
const pools = new RecordAuthenticator<PoolSnapshot>([randomBytes(32)], 'pools');

let cluster: RedisClusterServers;
let gateway: RedisConnection;
let auth: RedisConnection;
let cache: CredentialCache;
let limiter: RateLimiter;

beforeAll(async () => {
  Logger.overrideLogger(false); // each attempt to reach a killed server is a line
  cluster = await startRedisCluster({ nodeTimeoutMs: 1_500 });
  const { REDIS_URL, REDIS_CLUSTER } = cluster.settings;
  const connectionOf = (service: string) =>
    new RedisConnection({
      REDIS_URL: new Secret(redisUrlOf(service, REDIS_URL)),
      REDIS_CLUSTER: ['127.0.0.1:1', ...REDIS_CLUSTER.split(',')],
      REDIS_ANSWER_MS: ANSWER_MS,
      REDIS_REVOCATION_REPLICAS: service === 'auth' ? 'auto' : '0',
    });
  [gateway, auth] = [connectionOf('gateway'), connectionOf('auth')];
  await Promise.all([gateway.open(), auth.open()]);
  cache = new CredentialCache(auth, credentials);
  limiter = new RateLimiter(gateway, credentials, pools);
});
afterAll(async () => {
  gateway.close();
  auth.close();
  await cluster.stop();
});

const admit = (key: string) =>
  limiter.admit({
    key,
    billable: false,
    clientIp: '10.0.0.1',
    limits: { perAccount: LIMIT, perAddress: LIMIT },
  });

/** Names whose keys are all on the master of a slot. */
const namesOn = async (
  server: TestServer,
  count: number,
  nameOf: (i: number) => string,
  keyOf: (name: string) => string,
) => {
  const names: string[] = [];
  for (let i = 0; names.length < count; i += 1) {
    const { master } = await shardOf(slotOf(keyOf(nameOf(i))));
    if (master === server) names.push(nameOf(i));
  }
  return names;
};
const shards = new Map<number, ReturnType<RedisClusterServers['shardOf']>>();
/** By the third of the slots: asking a node for each key takes long. */
const shardOf = (slot: number) => {
  const third = Math.min(2, Math.floor(((slot + 1) * 3) / 16_384));
  const known = shards.get(third) ?? cluster.shardOf(slot);
  shards.set(third, known);
  return known;
};

/** Restarts a killed master, now a replica, and waits until all is as before: each master has a replica that confirms writes. */
async function heal(killed: TestServer) {
  await killed.restart();
  for (const slot of [0, 8_000, 16_000])
    await until(async () => {
      const { master, replicas } = await cluster.shardOf(slot);
      return replicas.length === 1 && (await cluster.ask(master, 'WAIT', '1', '1000')) === 1;
    });
  shards.clear();
  await until(() => Promise.resolve(gateway.isReady && auth.isReady));
}

describe('ENV-36: a master of a Redis Cluster that dies', () => {
  it('refuses the calls of its slots at once, until its replica counts them on; other calls go on, and the service stays ready', async () => {
    const accounts = new AccountLimiter(gateway);
    const count = (id: string) => accounts.count(id, LIMIT);
    const { master } = await shardOf(0);
    const [mine = ''] = await namesOn(
      master,
      1,
      (i) => `acc_${i}`,
      (id) => `rl:{${id}}`,
    );
    const others = ['acc_0', 'acc_1', 'acc_2', 'acc_3', 'acc_4', 'acc_5', 'acc_6'];
    const elsewhere: string[] = [];
    for (const id of others) if ((await shardOf(slotOf(`rl:{${id}}`))).master !== master) elsewhere.push(id);
    expect(elsewhere.length).toBeGreaterThan(0);
    const before = await count(mine);
    // A replica that confirms a write has all that came before it.
    const [key = ''] = await namesOn(
      master,
      1,
      (i) => `k:first-${i}`,
      (name) => `cred:${name}`,
    );
    await until(() => cache.replace(key, activeKey));
    await master.kill('SIGKILL');

    const refusals: number[] = [];
    const after = await eventually(
      async () => {
        for (const id of elsewhere) await until(async () => (await count(id)).used > 0);
        const start = performance.now();
        return count(mine).catch((error: unknown) => {
          expect(error).toBeInstanceOf(RedisUnavailable);
          refusals.push(performance.now() - start);
          expect(gateway.isReady).toBe(false);
          return gateway.ping().then(() => undefined);
        });
      },
      (window) => window !== undefined,
    );
    expect(refusals.length).toBeGreaterThan(1);
    expect(Math.max(...refusals)).toBeLessThan(2 * ANSWER_MS);
    // A new minute may have begun, which has a counter of its own.
    // A call that was refused late may have been counted.
    expect(after?.used).toBeGreaterThan(after?.resetsAt === before.resetsAt ? before.used : 0);
    await heal(master);
  });
});

describe('ENV-36: the limit of an account after a failover', () => {
  it('has every call that was counted until a second before it, and none twice', async () => {
    const { master } = await shardOf(0);
    const [mine = ''] = await namesOn(
      master,
      1,
      (i) => `acc_busy-${i}`,
      (id) => `rl:{${id}}`,
    );
    const accounts = new AccountLimiter(gateway);
    const counted: { at: number; resetsAt: number }[] = [];
    let tries = 0;
    const caller = async (end: number) => {
      while (performance.now() < end) {
        tries += 1;
        const { resetsAt } = await accounts.count(mine, LIMIT);
        counted.push({ at: performance.now(), resetsAt });
        await delay(5);
      }
    };
    const end = performance.now() + 2_500;
    await Promise.all(Array.from({ length: 4 }, () => caller(end)));
    const killedAt = performance.now();
    await master.kill('SIGKILL');
    const after = await eventually(
      () => {
        tries += 1;
        return accounts.count(mine, LIMIT).catch(() => undefined);
      },
      (window) => window !== undefined,
    );
    // In a new minute only calls of that minute count.
    const early = counted.filter((call) => call.at < killedAt - 1_000 && call.resetsAt === after?.resetsAt);
    expect(after?.used).toBeGreaterThan(early.length);
    expect(after?.used).toBeLessThanOrEqual(tries);
    await heal(master);
  });
});

describe('OPEN-52: a revocation that was answered', () => {
  it(`is in force after a failover, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { master, replicas } = await shardOf(Math.floor((round % 3) * (16_384 / 3) + 1));
      const keys = await namesOn(
        master,
        120,
        (i) => `k:${round}-${i}`,
        (key) => `cred:${key}`,
      );
      // Repeated: a busy machine may delay a confirmation.
      await mapConcurrently(keys, (key) => until(() => cache.replace(key, activeKey)));
      const answered: string[] = [];
      const revoke = async (key: string) => {
        await cache.revoke(key, { ...activeKey, version: 2 });
        answered.push(key);
      };
      const untilRevoked = (key: string) => until(() => revoke(key).then(() => true));
      await mapConcurrently(keys.slice(0, 100), untilRevoked);
      expect(answered).toHaveLength(100);

      // From here on the master alone has what it is sent.
      for (const replica of replicas) replica.pause();
      await cluster.ask(master, 'CLIENT', 'KILL', 'TYPE', 'replica');
      const late = keys.slice(100);
      const unanswered: string[] = [];
      const revocations = late.map((key) =>
        revoke(key).catch((error: unknown) => {
          expect(error).toBeInstanceOf(RedisUnavailable);
          unanswered.push(key);
        }),
      );
      await until(async () =>
        (await Promise.all(late.map(admit))).every(({ outcome }) => outcome === 'refused'),
      );
      await master.kill('SIGKILL');
      for (const replica of replicas) replica.resume();
      await Promise.all(revocations);

      await until(() => admit(keys[0] ?? '').then(() => true));
      for (const key of answered) expect(await admit(key)).toMatchObject({ outcome: 'refused' });
      expect(unanswered).toHaveLength(late.length);
      await heal(master);
      // A repetition heals those that were not answered.
      for (const key of unanswered) await untilRevoked(key);
      for (const key of late) expect(await admit(key)).toMatchObject({ outcome: 'refused' });
    }
  });

  it('was on a replica: without one it is not answered in time, although it is in force, and a repetition is', async () => {
    const { master, replicas } = await cluster.shardOf(slotOf('cred:k:paused'));
    expect(replicas).toHaveLength(1);
    await cache.put('k:paused', activeKey);
    const ended = { ...activeKey, version: 2, status: 'revoked' as const };
    for (const replica of replicas) replica.pause();
    const start = performance.now();
    await expect(cache.revoke('k:paused', ended)).rejects.toBeInstanceOf(RedisUnavailable);
    expect(performance.now() - start).toBeLessThan(2 * ANSWER_MS);
    expect(await admit('k:paused')).toMatchObject({ outcome: 'refused' });
    // Look-ups do not wait for replicas.
    expect(await cache.put('k:paused', ended)).toBe(true);
    for (const replica of replicas) replica.resume();
    await until(() => cache.revoke('k:paused', ended));
    expect(await cluster.ask(master, 'TTL', 'cred:k:paused')).toBeGreaterThan(60);
  });
});

describe('OPEN-58: a pool snapshot', () => {
  it('is stored and read by any node that the settings name', async () => {
    const { REDIS_URL } = cluster.settings;
    const redis = new RedisConnection({
      REDIS_URL: new Secret(redisUrlOf('reporting', REDIS_URL)),
      REDIS_CLUSTER: [new URL(REDIS_URL).host],
      REDIS_ANSWER_MS: 2_500,
    });
    await redis.open();
    const snapshots = new PoolSnapshotCache(redis, pools);
    const snapshot: PoolSnapshot = {
      version: 1,
      plan: 'none',
      storage: { used: 0, limit: 0 },
      bandwidth: { used: 0, limit: 0, cycle_resets_at: 0 },
      identity: { used: 0, limit: 0 },
    };
    for (const account of ['acc_1', 'acc_2', 'acc_3', 'acc_4']) {
      expect(await snapshots.put(account, snapshot)).toBe(true);
      expect(await snapshots.get(account)).toEqual(snapshot);
    }
    redis.close();
  });
});
