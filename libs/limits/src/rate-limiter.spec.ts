import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Secret } from '@vaultsvc/config';
import { sharedServers, startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { eventually, timed, until } from '@vaultsvc/testing/waiting';
import {
  AddressLimiter,
  RateLimiter,
  type Admission,
  CredentialCache,
  PoolSnapshotCache,
  isOverLimit,
  RecordAuthenticator,
  RedisConnection,
  RedisUnavailable,
  type CredentialRecord,
  type PoolSnapshot,
} from './index.js';

const limits = { perAccount: 300, perAddress: 600 };
let serial = 0;
const key = () => `k:${serial++}`;
const recordOf = (changes: Partial<CredentialRecord> = {}): CredentialRecord => ({
  version: 1,
  status: 'active',
  kind: 'api_key',
  accountId: `acc_${serial++}`,
  userId: null,
  credentialId: `key_${serial++}`,
  role: 'admin',
  seat: 'full',
  expiresAt: null,
  ...changes,
});
const poolSnapshotOf = (version: number): PoolSnapshot => ({
  version,
  plan: 'active',
  storage: { used: 1, limit: 10 },
  bandwidth: { used: 2, limit: 10, cycle_resets_at: 5 },
  identity: { used: 1, limit: 5 },
});

const credentials = new RecordAuthenticator<CredentialRecord>([randomBytes(32)], 'credential');
const pools = new RecordAuthenticator<PoolSnapshot>([randomBytes(32)], 'pools');

let redis: RedisConnection;
let second: RedisConnection;
let cache: CredentialCache;
let snapshots: PoolSnapshotCache;
let limiter: RateLimiter;
const admit = (of: string | null, more: object = {}) =>
  limiter.admit({ key: of, billable: false, clientIp: '10.0.0.1', limits, ...more });
const resetOf = ({ window }: Admission) => window.resetsAt;

beforeAll(async () => {
  const config = { REDIS_URL: new Secret(sharedServers().redisUrl), REDIS_ANSWER_MS: 30_000 };
  [redis, second] = [new RedisConnection(config), new RedisConnection(config)];
  await Promise.all([redis.open(), second.open()]);
  [cache, snapshots, limiter] = [
    new CredentialCache(redis, credentials),
    new PoolSnapshotCache(redis, pools),
    new RateLimiter(redis, credentials, pools),
  ];
});
afterAll(() => {
  redis.close();
  second.close();
});

describe('RateLimiter.admit', () => {
  it('ENV-32 ENV-33 MISC-08: leaves exactly 300 of 1,000 parallel calls within the limit, with two credentials of one account and two processes', async () => {
    const [a, b] = [key(), key()];
    const record = recordOf();
    await cache.put(a, record);
    await cache.put(b, { ...record, kind: 'session', userId: 'usr_1', credentialId: 'sid_1' });
    const limiters = [limiter, new RateLimiter(second, credentials, pools)];
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) =>
        limiters[i % 2]!.admit({ key: i % 3 ? a : b, billable: false, clientIp: '10.0.0.1', limits }),
      ),
    );
    const windows = answers.map((answer) => (answer.outcome === 'account' ? answer.window : undefined));
    // The minute may end during the test; then each of the two windows has its own 300.
    const ends = [...new Set(windows.map((window) => window?.resetsAt))];
    const calls = ends.map((end) => windows.filter((window) => window?.resetsAt === end));
    const allowed = calls.reduce((sum, { length }) => sum + Math.min(300, length), 0);
    expect(windows.filter((window) => window && !isOverLimit(window))).toHaveLength(allowed);
    expect(allowed).toBeLessThanOrEqual(600);
  });

  it('AMB-39 ENV-37: ends windows at whole minutes and starts a new one at 1', async () => {
    const k = key();
    const record = recordOf();
    await cache.put(k, record);
    const first = await admit(k);
    if (first.outcome !== 'account') throw new Error(first.outcome);
    expect(first.window.resetsAt % 60).toBe(0);
    expect(first.window.resetsAt - first.window.now).toBeGreaterThan(0);
    expect(first.window.resetsAt - first.window.now).toBeLessThanOrEqual(60);
    await redis.command([
      'RENAME',
      `rl:${record.accountId}:${first.window.resetsAt}`,
      `rl:${record.accountId}:${first.window.resetsAt - 60}`,
    ]);
    expect(await admit(k)).toMatchObject({ window: { used: 1 } });
  });

  it('gives every counter an expiry', async () => {
    await admit(key());
    await admit(null);
    const keys = (await redis.command(['KEYS', '*'])) as string[];
    const ages = await Promise.all(keys.map((name) => redis.command(['TTL', name])));
    expect(keys.length).toBeGreaterThan(0);
    expect(ages.filter((age) => Number(age) < 0 && Number(age) !== -2)).toEqual([]);
  });

  it('AMB-38 OPEN-10: refuses revoked and expired credentials, and counts the call on the address and not on the account', async () => {
    const clientIp = '192.0.2.9';
    const [revoked, expired] = [key(), key()];
    const record = recordOf();
    await cache.revoke(revoked, record);
    await cache.put(expired, { ...record, expiresAt: Math.floor(Date.now() / 1_000) - 1 });
    const first = await admit(revoked, { clientIp });
    expect(first).toMatchObject({ outcome: 'refused', window: { of: 'address', limit: 600, used: 1 } });
    const last = await admit(expired, { clientIp });
    // The minute may end during the test; then the next window has its own count.
    const used = resetOf(last) === resetOf(first) ? 2 : 1;
    expect(last).toMatchObject({ outcome: 'refused', window: { used } });
    // Auth has just resolved it: the call was counted when Redis did not know it.
    expect(await admit(revoked, { clientIp, isResolved: true })).toMatchObject({
      outcome: 'refused',
      window: { used: 0 },
    });
    expect(await redis.command(['KEYS', `rl:${record.accountId}:*`])).toEqual([]);
  });

  it('OPEN-10: counts an unknown credential and a route without one on the address; the retry after auth is not counted', async () => {
    const clientIp = '192.0.2.7';
    const first = await admit(key(), { clientIp });
    expect(first).toMatchObject({ outcome: 'not_cached', window: { used: 1, limit: 600 } });
    expect(await admit(key(), { clientIp, isResolved: true })).toMatchObject({
      outcome: 'not_cached',
      window: { used: 0 },
    });
    const last = await admit(null, { clientIp });
    // The minute may end during the test; then the next window has its own count.
    const used = resetOf(last) === resetOf(first) ? 2 : 1;
    expect(last).toMatchObject({ outcome: 'address', window: { used } });
  });

  it('OPEN-10: counts an identity-only session, which has no account, on the address', async () => {
    const k = key();
    const clientIp = '192.0.2.8';
    await cache.put(k, recordOf({ kind: 'identity', accountId: null, userId: 'idn_1' }));
    expect(await admit(k, { clientIp })).toMatchObject({
      outcome: 'identity',
      record: { userId: 'idn_1' },
      window: { used: 1, limit: 600 },
    });
  });

  it('OPEN-58: returns the pool snapshot of a billable call, or null when Redis has none', async () => {
    const k = key();
    const record = recordOf();
    await cache.put(k, record);
    expect(await admit(k, { billable: true })).toMatchObject({ snapshot: null });
    await snapshots.put(record.accountId as string, poolSnapshotOf(3));
    expect(await admit(k, { billable: true })).toMatchObject({ snapshot: poolSnapshotOf(3) });
    expect(await admit(k)).toMatchObject({ snapshot: null });
  });
});

describe('OPEN-52: the caches in Redis', () => {
  it('keep a revocation against a late write of an older record', async () => {
    const k = key();
    const record = recordOf({ version: 4 });
    expect(await cache.put(k, record)).toBe(true);
    expect(await cache.revoke(k, { ...record, version: 5 })).toBe(true);
    expect(await cache.put(k, record)).toBe(false);
    expect(await cache.put(k, { ...record, version: 5 })).toBe(false);
    expect(await admit(k)).toMatchObject({ outcome: 'refused' });
    expect(await redis.command(['TTL', `cred:${k}`])).toBeGreaterThan(60);
  });

  it('renew the expiry of a record that is written again in the same version', async () => {
    const k = key();
    const record = recordOf();
    await cache.put(k, record);
    await redis.command(['EXPIRE', `cred:${k}`, '2']);
    expect(await cache.put(k, record)).toBe(true);
    expect(await redis.command(['TTL', `cred:${k}`])).toBeGreaterThan(50);
  });

  it('replace a pool snapshot by a newer version only', async () => {
    expect(await snapshots.put('acc_f', poolSnapshotOf(2))).toBe(true);
    expect(await snapshots.put('acc_f', poolSnapshotOf(1))).toBe(false);
    expect(await snapshots.get('acc_f')).toEqual(poolSnapshotOf(2));
    expect(await snapshots.get('acc_none')).toBeNull();
  });

  it('KEY-14: store the last use of an API key, and delete it unless the key was used again', async () => {
    const k = key();
    const record = recordOf();
    await cache.put(k, record);
    const { from, to } = await timed(() => admit(k));
    const uses = await cache.lastUsed([record.credentialId, 'key_never']);
    expect([...uses.keys()]).toEqual([record.credentialId]);
    expect(uses.get(record.credentialId)).toBeGreaterThanOrEqual(from);
    expect(uses.get(record.credentialId)).toBeLessThanOrEqual(to);
    const storedUse = async () => (await cache.allUses()).get(record.credentialId);
    await cache.deleteUses(new Map([[record.credentialId, 5]]));
    expect(await storedUse()).toBe(uses.get(record.credentialId));
    await cache.deleteUses(uses);
    expect(await storedUse()).toBeUndefined();
    await cache.deleteUses(new Map());
    expect((await cache.lastUsed([])).size).toBe(0);
  });

  it('KEY-14: renew the expiry of stored uses at each flush, so that keys in constant use keep theirs', async () => {
    const k = key();
    await cache.put(k, recordOf());
    await admit(k);
    await redis.command(['EXPIRE', 'used', '60']);
    await cache.deleteUses(new Map());
    expect(await redis.command(['TTL', 'used'])).toBeGreaterThan(60);
  });
});

describe('ENV-36 AMB-02: RedisConnection', () => {
  let own: TestServer;
  let connection: RedisConnection;
  beforeAll(async () => {
    own = await startRedis();
    connection = new RedisConnection({ REDIS_URL: new Secret(own.url), REDIS_ANSWER_MS: 250 });
    await connection.open();
  });
  afterAll(async () => {
    connection.close();
    await own.stop();
  });
  const admitOnce = () => new AddressLimiter(connection).count('10.0.0.9', limits.perAddress);
  const untilAnswered = () =>
    eventually(
      () => admitOnce().catch(() => undefined),
      (answer) => answer !== undefined,
    );

  it('throws RedisUnavailable while Redis is frozen or down, and recovers afterwards', async () => {
    await untilAnswered();
    own.pause();
    await expect(admitOnce()).rejects.toBeInstanceOf(RedisUnavailable);
    own.resume();
    await untilAnswered();
    await own.kill('SIGKILL');
    await expect(admitOnce()).rejects.toBeInstanceOf(RedisUnavailable);
    await own.restart();
    expect(await untilAnswered()).toMatchObject({ of: 'address' });
  });

  it('waits for a late reply as long as REDIS_ANSWER_MS allows', async () => {
    const patient = new RedisConnection({ REDIS_URL: new Secret(own.url), REDIS_ANSWER_MS: 30_000 });
    await patient.open();
    await until(() => patient.ping().then(() => true));
    own.pause();
    const answer = patient.command(['ECHO', 'late']);
    await expect(admitOnce()).rejects.toBeInstanceOf(RedisUnavailable);
    own.resume();
    expect(await answer).toBe('late');
    patient.close();
  });
});
