import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Secret } from '@vaultsvc/config';
import {
  inspectRedis,
  redisUrlOf,
  startRedisCluster,
  type RedisClusterServers,
} from '@vaultsvc/testing/servers';
import { eventually, timed, withinOneMinute } from '@vaultsvc/testing/waiting';
import {
  AccountLimiter,
  AddressLimiter,
  CredentialCache,
  CredentialReader,
  isOverLimit,
  PoolSnapshotCache,
  RateLimiter,
  RecordAuthenticator,
  RedisConnection,
  type CredentialRecord,
  type PoolSnapshot,
} from './index.js';
import { slotOf } from './slot-map.js';
import { activeKey, pooled as snapshot } from './testing/records.js';

const limits = { perAccount: 300, perAddress: 600 };
const credentials = new RecordAuthenticator<CredentialRecord>([randomBytes(32)], 'credential');
const pools = new RecordAuthenticator<PoolSnapshot>([randomBytes(32)], 'pools');
let serial = 0;
const newKey = () => `k:${serial++}`;
const newIp = () => `192.0.2.${serial++}`;
const recordOf = (changes: Partial<CredentialRecord> = {}): CredentialRecord & { accountId: string } => ({
  ...activeKey,
  credentialId: `key_${serial++}`,
  ...changes,
  accountId: changes.accountId ?? `acc_${serial++}`,
});

let cluster: RedisClusterServers;
const opened: RedisConnection[] = [];
/** A connection with the rights of a service. */
const connect = async (service: string) => {
  const { REDIS_URL, REDIS_CLUSTER } = cluster.settings;
  const redis = new RedisConnection({
    REDIS_URL: new Secret(redisUrlOf(service, REDIS_URL)),
    REDIS_CLUSTER: REDIS_CLUSTER.split(','),
    REDIS_ANSWER_MS: 20_000,
    REDIS_REVOCATION_REPLICAS: service === 'auth' ? 'auto' : '0',
  });
  opened.push(redis);
  await redis.open();
  return redis;
};

let gateway: RedisConnection;
let cache: CredentialCache;
let limiter: RateLimiter;
const admit = (key: string | null, more: object = {}) =>
  limiter.admit({ key, billable: false, clientIp: '10.0.0.1', limits, ...more });

beforeAll(async () => {
  cluster = await startRedisCluster();
  gateway = await connect('gateway');
  limiter = new RateLimiter(gateway, credentials, pools);
  cache = new CredentialCache(await connect('auth'), credentials);
});
afterAll(async () => {
  for (const redis of opened) redis.close();
  await cluster.stop();
});

describe('RateLimiter.admit over a Redis Cluster', () => {
  it('ENV-32 ENV-33: leaves exactly 300 of 400 parallel calls of each of eight accounts within the limit, on two connections', async () => {
    const limiters = [limiter, new RateLimiter(await connect('gateway'), credentials, pools)];
    const allowed = await withinOneMinute(async () => {
      const accounts = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const [key, record] = [newKey(), recordOf()];
          await cache.put(key, record);
          return { key, record };
        }),
      );
      const calls = accounts.map(async ({ key, record }) => {
        const answers = await Promise.all(
          Array.from({ length: 400 }, (_, i) =>
            limiters[i % 2]!.admit({ key, billable: false, clientIp: '10.0.0.1', limits }),
          ),
        );
        expect(answers.every((answer) => answer.outcome === 'account')).toBe(true);
        expect(new Set(answers.map((answer) => 'record' in answer && answer.record.accountId))).toEqual(
          new Set([record.accountId]),
        );
        return answers.filter(({ window }) => !isOverLimit(window)).length;
      });
      return Promise.all(calls);
    });
    expect(allowed).toEqual(Array(8).fill(300));
  });

  it('AMB-39: ends windows at whole minutes of the clock of Redis, at which the counter expires', async () => {
    const [key, record] = [newKey(), recordOf()];
    await cache.put(key, record);
    const { window } = await admit(key);
    expect(window.resetsAt % 60).toBe(0);
    expect(window.resetsAt - window.now).toBeGreaterThan(0);
    expect(window.resetsAt - window.now).toBeLessThanOrEqual(60);
    const counter = `rl:{${record.accountId}}`;
    const { master } = await cluster.shardOf(slotOf(counter));
    expect(await cluster.ask(master, 'EXPIRETIME', counter)).toBe(window.resetsAt);
  });

  it('ENV-32: gives a counter without an expiry, as failovers have left them, the end of the minute: it would block its account for ever', async () => {
    const [key, record] = [newKey(), recordOf()];
    await cache.put(key, record);
    const counter = `rl:{${record.accountId}}`;
    const { master } = await cluster.shardOf(slotOf(counter));
    await cluster.ask(master, 'SET', counter, '400');
    const { window } = await admit(key);
    expect(window.used).toBe(401);
    expect(window.resetsAt - window.now).toBeGreaterThan(0);
    expect(window.resetsAt - window.now).toBeLessThanOrEqual(60);
    expect(await cluster.ask(master, 'EXPIRETIME', counter)).toBe(window.resetsAt);
  });

  it('ENV-32: counts calls that another service counts on the account in the same window', async () => {
    const [key, record] = [newKey(), recordOf()];
    await cache.put(key, record);
    const integrations = new AccountLimiter(await connect('integrations'));
    const used = await withinOneMinute(async () => {
      const first = (await admit(key)).window.used;
      const second = (await integrations.count(record.accountId, limits.perAccount)).used;
      return [second - first, (await admit(key)).window.used - second];
    });
    expect(used).toEqual([1, 1]);
  });

  it('AMB-38 OPEN-10: refuses revoked and expired credentials, and counts the call on the address and not on the account', async () => {
    const [revoked, expired, record] = [newKey(), newKey(), recordOf()];
    await cache.revoke(revoked, record);
    await cache.put(expired, { ...record, expiresAt: Math.floor(Date.now() / 1_000) - 1 });
    await withinOneMinute(async () => {
      const clientIp = newIp();
      const window = { of: 'address', limit: 600 };
      expect(await admit(revoked, { clientIp })).toMatchObject({
        outcome: 'refused',
        window: { ...window, used: 1 },
      });
      expect(await admit(expired, { clientIp })).toMatchObject({
        outcome: 'refused',
        window: { ...window, used: 2 },
      });
      // Auth has just resolved it: the call was counted when Redis did not know it.
      expect(await admit(revoked, { clientIp, isResolved: true })).toMatchObject({
        outcome: 'refused',
        window: { ...window, used: 0 },
      });
    });
    const { master } = await cluster.shardOf(slotOf(`rl:{${record.accountId}}`));
    expect(await cluster.ask(master, 'EXISTS', `rl:{${record.accountId}}`)).toBe(0);
  });

  it('OPEN-10: counts an unknown credential, a route without one and an identity-only session on the address', async () => {
    const identity = newKey();
    await cache.put(identity, { ...recordOf({ kind: 'identity', userId: 'idn_1' }), accountId: null });
    const forge = new AddressLimiter(await connect('forge'));
    await withinOneMinute(async () => {
      const clientIp = newIp();
      expect(await admit(newKey(), { clientIp })).toMatchObject({
        outcome: 'not_cached',
        window: { of: 'address', limit: 600, used: 1 },
      });
      expect(await admit(newKey(), { clientIp, isResolved: true })).toMatchObject({
        outcome: 'not_cached',
        window: { used: 0 },
      });
      expect(await admit(null, { clientIp })).toMatchObject({ outcome: 'address', window: { used: 2 } });
      expect(await admit(identity, { clientIp })).toMatchObject({
        outcome: 'identity',
        record: { userId: 'idn_1' },
        window: { used: 3 },
      });
      expect(await forge.count(clientIp, 600)).toMatchObject({ of: 'address', used: 4 });
      expect(await new AddressLimiter(gateway).read(clientIp, 600)).toMatchObject({ used: 4 });
    });
    const expired = { ...recordOf({ kind: 'identity', expiresAt: 1 }), accountId: null };
    await cache.put(identity, { ...expired, version: 2 });
    expect(await admit(identity)).toMatchObject({ outcome: 'refused' });
  });

  it('OPEN-52: does not admit by a record without a valid MAC, nor by that of another credential', async () => {
    const [own, forged, record] = [newKey(), newKey(), recordOf()];
    await cache.put(own, record);
    const read = async (name: string) =>
      cluster.ask((await cluster.shardOf(slotOf(name))).master, 'GET', name);
    const write = async (name: string, text: string) =>
      cluster.ask((await cluster.shardOf(slotOf(name))).master, 'SET', name, text);
    for (const text of [JSON.stringify(record), String(await read(`cred:${own}`)), 'nonsense']) {
      await write(`cred:${forged}`, text);
      expect(await admit(forged)).toMatchObject({ outcome: 'not_cached' });
    }
    expect(await admit(own)).toMatchObject({ outcome: 'account' });
    const reader = new CredentialReader(gateway, credentials);
    expect(await reader.read(own)).toEqual(record);
    expect(await reader.read(forged)).toBeNull();
  });

  it('OPEN-58: returns the pool snapshot of a billable call, or null when Redis has none', async () => {
    const [key, record] = [newKey(), recordOf()];
    await cache.put(key, record);
    expect(await admit(key, { billable: true })).toMatchObject({ outcome: 'account', snapshot: null });
    const reporting = new PoolSnapshotCache(await connect('reporting'), pools);
    expect(await reporting.put(record.accountId, snapshot)).toBe(true);
    expect(await admit(key, { billable: true })).toMatchObject({ snapshot });
    expect(await admit(key)).toMatchObject({ snapshot: null });
    expect(await reporting.put(record.accountId, { ...snapshot, version: 2 })).toBe(false);
  });

  it('KEY-14: stores the last use of each API key, which auth reads, flushes and deletes', async () => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const [key, record] = [newKey(), recordOf()];
        await cache.put(key, record);
        return { key, id: record.credentialId };
      }),
    );
    const { from, to } = await timed(() => Promise.all(keys.map(({ key }) => admit(key))));
    const ids = keys.map(({ id }) => id);
    const uses = await eventually(
      () => cache.lastUsed(ids),
      ({ size }) => size === ids.length,
    );
    for (const at of uses.values()) {
      expect(at).toBeGreaterThanOrEqual(from);
      expect(at).toBeLessThanOrEqual(to);
    }
    await cache.deleteUses(uses);
    expect((await cache.lastUsed(ids)).size).toBe(0);
    const { master } = await cluster.shardOf(slotOf('used'));
    expect(Number(await cluster.ask(master, 'TTL', 'used'))).not.toBe(-1);
  });

  it('KEY-14: stores the last uses before the connection is closed', async () => {
    const own = new RateLimiter(await connect('gateway'), credentials, pools);
    const [key, record] = [newKey(), recordOf()];
    await cache.put(key, record);
    await own.admit({ key, billable: false, clientIp: '10.0.0.1', limits });
    await own.onApplicationShutdown();
    expect((await cache.lastUsed([record.credentialId])).size).toBe(1);
  });
});

describe('OPEN-52: a revocation in a Redis Cluster', () => {
  /** The record of a credential that the replica of its master has now. */
  const onReplica = async (key: string) => {
    const { replicas } = await cluster.shardOf(slotOf(`cred:${key}`));
    const inspector = await inspectRedis(replicas[0]?.url ?? '');
    try {
      await inspector.command('READONLY');
      return String(await inspector.command('GET', `cred:${key}`));
    } finally {
      inspector.close();
    }
  };

  it('of 500 sessions at once is on the replicas when it is answered', async () => {
    const keys = Array.from({ length: 500 }, newKey);
    await Promise.all(keys.map((key) => cache.put(key, recordOf({ kind: 'session' }))));
    const record = recordOf({ kind: 'session', version: 2 });
    const outcomes = await Promise.all(keys.map((key) => cache.revoke(key, record)));
    expect(outcomes).toEqual(Array(500).fill(true));
    for (const key of keys.slice(0, 30)) expect(await onReplica(key)).toContain('"status":"revoked"');
    expect(await cache.put(keys[0] ?? '', record)).toBe(false);
    expect(await admit(keys[0] ?? '')).toMatchObject({ outcome: 'refused' });
  });

  it('is answered as refused by a newer record once that one is on a replica', async () => {
    const key = newKey();
    const record = recordOf({ version: 5 });
    const { replicas } = await cluster.shardOf(slotOf(`cred:${key}`));
    for (const replica of replicas) replica.pause();
    await cache.put(key, record);
    const refused = cache.revoke(key, { ...record, version: 4 });
    const isAnswered = await Promise.race([refused.then(() => true), delay(500).then(() => false)]);
    expect(isAnswered).toBe(false);
    for (const replica of replicas) replica.resume();
    expect(await refused).toBe(false);
    expect(await onReplica(key)).toContain('"version":5');
    expect(await admit(key)).toMatchObject({ outcome: 'account' });
  });
});

describe('ENV-36: a slot that moves to another master', () => {
  it('refuses no call and forgets none: before, while and after its keys move', async () => {
    const counts = await withinOneMinute(async (attempt) => {
      const account = `acc_moving_${attempt}`;
      const counter = `rl:{${account}}`;
      const slot = String(slotOf(counter));
      // An account of the same slot whose counter is created while the slot moves.
      const other = Array.from({ length: 200_000 }, (_, i) => `acc_${attempt}_${i}`).find(
        (id) => slotOf(`rl:{${id}}`) === Number(slot),
      );
      const accounts = new AccountLimiter(gateway);
      const used = async (id = account) => (await accounts.count(id, 300)).used;
      const source = await cluster.shardOf(Number(slot));
      const target = await cluster.shardOf((Number(slot) + 8_192) % 16_384);
      const { hostname, port, username, password } = new URL(target.master.url);
      const seen = [await used()];
      await cluster.ask(target.master, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', source.masterId);
      await cluster.ask(source.master, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.masterId);
      seen.push(await used(), await used(other), await used(other));
      const to = [hostname, port, '', '0', '5000', 'AUTH2', username, password, 'KEYS', counter];
      await cluster.ask(source.master, 'MIGRATE', ...to);
      seen.push(await used());
      for (const { master } of [target, source])
        await cluster.ask(master, 'CLUSTER', 'SETSLOT', slot, 'NODE', target.masterId);
      seen.push(await used(), await used(), await used(other));
      return seen;
    });
    expect(counts).toEqual([1, 2, 1, 2, 3, 4, 5, 3]);
  });
});
