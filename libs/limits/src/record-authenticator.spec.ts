import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Secret } from '@vaultsvc/config';
import { sharedServers } from '@vaultsvc/testing/servers';
import { register } from 'prom-client';
import {
  CredentialCache,
  PoolSnapshotCache,
  RateLimiter,
  RecordAuthenticator,
  RedisConnection,
  type CredentialRecord,
  type PoolSnapshot,
} from './index.js';
import { pooled as snapshot } from './testing/records.js';

const own = new RecordAuthenticator<CredentialRecord>([randomBytes(32)], 'credential');
const ownPools = new RecordAuthenticator<PoolSnapshot>([randomBytes(32)], 'pools');
const strange = new RecordAuthenticator<CredentialRecord>([randomBytes(32)], 'credential');
const limits = { perAccount: 300, perAddress: 600 };

const record: CredentialRecord = {
  version: 3,
  status: 'active',
  kind: 'session',
  accountId: 'acc_1',
  userId: 'usr_1',
  credentialId: 'ses_1',
  role: 'member',
  seat: 'full',
  expiresAt: null,
};

let redis: RedisConnection;
let cache: CredentialCache;
let snapshots: PoolSnapshotCache;
let limiter: RateLimiter;

beforeAll(async () => {
  redis = new RedisConnection({ REDIS_URL: new Secret(sharedServers().redisUrl), REDIS_ANSWER_MS: 30_000 });
  await redis.open();
  cache = new CredentialCache(redis, own);
  snapshots = new PoolSnapshotCache(redis, ownPools);
  limiter = new RateLimiter(redis, own, ownPools);
});
afterAll(() => redis.close());
beforeEach(async () => {
  await redis.command(['FLUSHDB']);
});

const NAME = 'cred:s:ses_1';
const store = (text: string, name = NAME) => redis.command(['SET', name, text]);
const stored = async (name = NAME) => (await redis.command(['GET', name])) as string;
const admit = (more: object = {}) =>
  limiter.admit({ key: 's:ses_1', billable: true, clientIp: '10.0.0.1', limits, ...more });
const refusals = async (kind: 'credential' | 'pools') => {
  const { values } = (await register.getSingleMetric('vaultsvc_redis_records_refused_total')?.get()) ?? {
    values: [],
  };
  return values.find(({ labels }) => labels['record'] === kind)?.value ?? 0;
};
const inTwoMinutes = () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 121_000);

/** What somebody with write access to Redis, but without the key of the MAC, can store. */
const forgeries: [string, () => Promise<unknown>][] = [
  ['without a MAC, as of an earlier release', () => store(JSON.stringify(record))],
  ['with the MAC of another key', () => store(strange.encode(NAME, record, 60))],
  ['with a changed role', async () => store((await stored()).replace('"member"', '"owner"'))],
  ['with a later time', async () => store((await stored()).replace(/"mac":"\d+/, '"mac":"9999999999'))],
  [
    'of another credential',
    async () => store(own.encode('cred:s:ses_2', { ...record, accountId: 'acc_2' }, 60)),
  ],
  ['that says revoked', () => store(strange.encode(NAME, { ...record, status: 'revoked' }, 300))],
  ['of the newest version', () => store(strange.encode(NAME, { ...record, version: 9_000_000 }, 60))],
  ['that is not JSON', () => store('junk')],
  ['that is no object', () => store('7')],
  ['without an account', () => store(strange.encode(NAME, { ...record, accountId: null }, 60))],
];

describe('OPEN-51 OPEN-52: a credential record in Redis', () => {
  it.each(forgeries)('%s is not admitted, is counted, and is replaced by auth', async (_, forge) => {
    await cache.put('s:ses_1', record);
    await forge();
    const before = await refusals('credential');
    expect(await admit()).toMatchObject({ outcome: 'not_cached', window: { of: 'address' } });
    expect(await refusals('credential')).toBe(before + 1);
    expect(await admit({ isResolved: true })).toMatchObject({ outcome: 'not_cached', window: { used: 0 } });
    expect(await cache.put('s:ses_1', record)).toBe(true);
    expect(await admit()).toMatchObject({ outcome: 'account', record });
  });

  it('that is stored again after its time is not admitted', async () => {
    await cache.put('s:ses_1', record);
    const copy = await stored();
    await cache.revoke('s:ses_1', { ...record, version: 4 });
    await store(copy);
    expect(await admit()).toMatchObject({ outcome: 'account' });
    inTwoMinutes();
    expect(await admit()).toMatchObject({ outcome: 'not_cached' });
    jest.restoreAllMocks();
  });

  it('keeps its revocation against an older record, whatever an attacker stores in between', async () => {
    await cache.revoke('s:ses_1', { ...record, version: 4 });
    expect(await cache.put('s:ses_1', record)).toBe(false);
    await store(strange.encode(NAME, { ...record, version: 9 }, 60));
    expect(await cache.revoke('s:ses_1', { ...record, version: 4 })).toBe(true);
    expect(await admit()).toMatchObject({ outcome: 'refused' });
  });
});

describe('OPEN-51 OPEN-52: while the key of records changes', () => {
  const [former, next] = [randomBytes(32), randomBytes(32)] as [Buffer, Buffer];
  const withKeys = (...keys: [Buffer, ...Buffer[]]) =>
    new RecordAuthenticator<CredentialRecord>(keys, 'credential');
  const begun = () => withKeys(former, next);
  const switched = () => withKeys(next, former);

  it.each([
    ['before, read in the first round', withKeys(former), begun()],
    ['in the first round, read before', begun(), withKeys(former)],
    ['in the first round, read in the second', begun(), switched()],
    ['in the second round, read in the first', switched(), begun()],
    ['in the second round, read in the third', switched(), withKeys(next)],
    ['in the third round, read in the second', withKeys(next), switched()],
  ])('a record that was written %s is admitted, and never refused', async (_, writer, reader) => {
    const before = await refusals('credential');
    await new CredentialCache(redis, writer).put('s:ses_1', record);
    const admission = await new RateLimiter(redis, reader, ownPools).admit({
      key: 's:ses_1',
      billable: false,
      clientIp: '10.0.0.1',
      limits,
    });
    expect(admission).toMatchObject({ outcome: 'account', record });
    expect(await refusals('credential')).toBe(before);
  });

  it('a record of the former key is rewritten under the new one', async () => {
    await new CredentialCache(redis, withKeys(former)).put('s:ses_1', record);
    await new CredentialCache(redis, switched()).put('s:ses_1', record);
    expect(withKeys(next).decode(NAME, await stored())).toEqual(record);
  });

  it('a record of the former key is refused after the last round', async () => {
    await new CredentialCache(redis, withKeys(former)).put('s:ses_1', record);
    expect(withKeys(next).decode(NAME, await stored())).toBeUndefined();
  });
});

describe('OPEN-51 OPEN-58: a pool snapshot in Redis', () => {
  it.each([
    ['without a MAC, as of an earlier release', () => JSON.stringify(snapshot)],
    ['of another account', () => ownPools.encode('funds:acc_2', { ...snapshot, version: 99 }, 600)],
    ['that is not JSON', () => 'junk'],
  ])('%s counts as absent, and is replaced by reporting', async (_, text) => {
    await cache.put('s:ses_1', record);
    await store(text(), 'funds:acc_1');
    const before = await refusals('pools');
    expect(await admit()).toMatchObject({ outcome: 'account', snapshot: null });
    expect(await snapshots.get('acc_1')).toBeNull();
    expect(await refusals('pools')).toBe(before + 2);
    expect(await snapshots.put('acc_1', snapshot)).toBe(true);
    expect(await admit()).toMatchObject({ outcome: 'account', snapshot });
  });
});
