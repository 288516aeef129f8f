import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { versionDropped, versionOpened } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { lockWaiters, reasonOf } from '@vaultsvc/testing/harness';
import { startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { until } from '@vaultsvc/testing/waiting';
import { PoolSnapshotPublisher } from '../pool/pool-snapshot-publisher.js';
import { PoolRepository } from '../pool/pool.repository.js';
import { startPlatform, type Platform } from '../testing/platform.js';
import { ReservationRepository } from './reservation.repository.js';

let redis: TestServer;
let platform: Platform;
beforeAll(async () => {
  redis = await startRedis();
  platform = await startPlatform({ REDIS_URL: redis.url, STORAGE_POOL_BYTES: '1000' });
});
afterAll(async () => {
  await platform.harness.stop();
  await redis.stop();
});

const account = () => newId('acc_');
const version = () => newId('ver_');
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const reasons = async (calls: readonly Promise<unknown>[]) => {
  const all = await Promise.all(
    calls.map((call) =>
      call.then(
        () => 'ok',
        (error: { reason: string }) => error.reason,
      ),
    ),
  );
  return Object.fromEntries(
    [...new Set(all)].map((reason) => [reason, all.filter((one) => one === reason).length]),
  );
};
const exact = async (accountId: string) => {
  const { reserved, kept } = await platform.sums(accountId);
  expect(reserved).toBe(kept);
  return reserved;
};

describe('reserving storage for an upload', () => {
  it('ENV-11 OPEN-58: shows as used storage, from the first use of an account', async () => {
    const owner = account();
    expect(await platform.reserve(owner, version(), 600)).toEqual({});
    const record = await platform.waitForSnapshot(owner, ({ storage }) => storage.used === 600);
    expect(record).toMatchObject({
      plan: 'active',
      storage: { used: 600, limit: 1000 },
      bandwidth: { used: 0 },
    });
    expect(await platform.sums(owner)).toMatchObject({
      storage: 0,
      reserved: 600,
      kept: 600,
      ledgerStorage: 0,
    });
  });

  it('ENV-24: succeeds up to the last byte, then fails with the required action', async () => {
    const owner = account();
    await platform.reserve(owner, version(), 600);
    await expect(platform.reserve(owner, version(), 401)).rejects.toMatchObject({
      reason: 'QUOTA_EXCEEDED',
      details: { resource: 'storage', action_required: 'add_storage_block' },
    });
    expect(await exact(owner)).toBe(600);
    await platform.reserve(owner, version(), 400);
    await platform.waitForSnapshot(owner, ({ storage }) => storage.used === storage.limit);
    expect(await reasonOf(platform.reserve(owner, version(), 1))).toBe('QUOTA_EXCEEDED');
  });

  it('ENV-24: fails for more than the whole pool, on the first use of an account', async () => {
    const owner = account();
    expect(await reasonOf(platform.reserve(owner, version(), 1001))).toBe('QUOTA_EXCEEDED');
    expect(await exact(owner)).toBe(0);
  });

  it('ENV-23: requires an active plan', async () => {
    const owner = account();
    await platform.reserve(owner, version(), 1);
    await platform.sql(`UPDATE pools SET status = 'none' WHERE account_id = $1`, [owner]);
    expect(await reasonOf(platform.reserve(owner, version(), 1))).toBe('PLAN_REQUIRED');
    expect(await exact(owner)).toBe(1);
  });

  it.each([
    [2000, 'ok'],
    [700, 'QUOTA_EXCEEDED'],
  ])('ENV-24: prefers the limit of the account to that of its plan: %p', async (limit, reason) => {
    const owner = account();
    await platform.reserve(owner, version(), 500);
    await platform.sql(`UPDATE pools SET storage_limit = $2 WHERE account_id = $1`, [owner, limit]);
    expect(await reasons([platform.reserve(owner, version(), 501)])).toEqual({ [reason]: 1 });
  });

  it('counts stored bytes, and treats a temporarily negative sum as 0', async () => {
    const owner = account();
    await platform.reserve(owner, version(), 1);
    const stored = (bytes: number) =>
      platform.sql(`UPDATE pools SET storage_used = $2 WHERE account_id = $1`, [owner, bytes]);
    await stored(700);
    expect(await reasonOf(platform.reserve(owner, version(), 300))).toBe('QUOTA_EXCEEDED');
    await stored(-700);
    expect(await reasonOf(platform.reserve(owner, version(), 1000))).toBe('QUOTA_EXCEEDED');
    await platform.reserve(owner, version(), 999);
  });

  it('fails for a plan that is not configured', async () => {
    const owner = account();
    await platform.reserve(owner, version(), 1);
    await platform.sql(`UPDATE pools SET plan = 'unheard-of' WHERE account_id = $1`, [owner]);
    expect(await reasonOf(platform.reserve(owner, version(), 1))).toBe('INTERNAL_ERROR');
    expect(await exact(owner)).toBe(1);
  });

  it('is idempotent, even when the pool is full', async () => {
    const [owner, id] = [account(), version()];
    for (let i = 0; i < 3; i++) expect(await platform.reserve(owner, id, 1000)).toEqual({});
    expect(await exact(owner)).toBe(1000);
  });

  it('ENV-24: reuses an open reservation of the same account that it supersedes', async () => {
    const [owner, stranger, first, second] = [account(), account(), version(), version()];
    await platform.reserve(owner, first, 600);
    await platform.reserve(stranger, version(), 600);
    expect(await reasonOf(platform.reserve(owner, version(), 1001, first))).toBe('QUOTA_EXCEEDED');
    expect(await reasonOf(platform.reserve(stranger, version(), 600, first))).toBe('QUOTA_EXCEEDED');
    await platform.reserve(owner, second, 1000, first);
    expect(await exact(owner)).toBe(1600);
    await platform.release(owner, first);
    expect(await reasonOf(platform.reserve(owner, version(), 1, first))).toBe('QUOTA_EXCEEDED');
    expect(await exact(owner)).toBe(1000);
  });

  it('ENV-24: also reuses reservations that were superseded before, as long as they are open', async () => {
    const [owner, ...versions] = [account(), version(), version(), version(), version()];
    for (const [i, id] of versions.entries()) await platform.reserve(owner, id, 1000, versions[i - 1]);
    expect(await exact(owner)).toBe(4000);
    for (const id of versions.slice(0, 3)) await platform.release(owner, id);
    expect(await reasonOf(platform.reserve(owner, version(), 1001, versions[3]))).toBe('QUOTA_EXCEEDED');
    await platform.reserve(owner, version(), 1000, versions[3]);
  });

  it('ENV-24: reuses nothing behind a closed reservation, nor behind its own what another account has', async () => {
    const [owner, first, closed, last] = [account(), version(), version(), version()];
    await platform.reserve(owner, first, 300);
    await platform.reserve(owner, closed, 300, first);
    await platform.reserve(owner, last, 300, closed);
    const ref = { account_id: owner, vault_id: newId('vlt_'), ingot_id: newId('ing_'), version_id: closed };
    await platform.publish([versionDropped, ref]);
    await platform.waitForStatus(closed, 'closed');
    expect(await exact(owner)).toBe(600);
    expect(await reasonOf(platform.reserve(owner, version(), 701, last))).toBe('QUOTA_EXCEEDED');
    expect(await reasonOf(platform.reserve(owner, version(), 401, closed))).toBe('QUOTA_EXCEEDED');
    const [stranger, own] = [account(), version()];
    await platform.reserve(stranger, own, 400, first);
    expect(await reasonOf(platform.reserve(stranger, version(), 1001, own))).toBe('QUOTA_EXCEEDED');
  });

  it('ENV-24: reuses nothing of a reservation that is closed meanwhile: its bytes are returned once', async () => {
    const [owner, first] = [account(), version()];
    await platform.reserve(owner, first, 600);
    const { context } = platform.service;
    const closing = { id: first, accountId: owner, bytes: 0, status: 'closed' } as const;
    const second = await context.get(Database).transaction(async (tx) => {
      const draws = await context.get(ReservationRepository).settle(tx, [closing]);
      const reserving = reasonOf(platform.reserve(owner, version(), 1001, first));
      await until(async () => (await lockWaiters(platform.service)) > 0);
      await context.get(PoolRepository).draw(tx, draws);
      return { reserving };
    });
    expect(await second.reserving).toBe('QUOTA_EXCEEDED');
    expect(await exact(owner)).toBe(0);
  });

  it('fails for an id of another account', async () => {
    const [owner, other, id] = [account(), account(), version()];
    await platform.reserve(owner, id, 10);
    expect(await reasonOf(platform.reserve(other, id, 10))).toBe('INTERNAL_ERROR');
    expect([await exact(owner), await exact(other)]).toEqual([10, 0]);
  });

  it('expires after ten minutes', async () => {
    const id = version();
    await platform.reserve(account(), id, 10);
    const rows = await platform.sql(
      `SELECT status, round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes FROM reservations WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: 'held', minutes: 10 }]);
  });
});

describe('releasing a reservation', () => {
  it('returns its bytes once, however often it is called', async () => {
    const [owner, id] = [account(), version()];
    await platform.reserve(owner, id, 700);
    await platform.reserve(owner, version(), 100);
    for (let i = 0; i < 3; i++) expect(await platform.release(owner, id)).toEqual({});
    await platform.waitForSnapshot(owner, ({ storage }) => storage.used === 100);
    expect(await exact(owner)).toBe(100);
  });

  it('does nothing for an unknown reservation or one of another account', async () => {
    const [owner, other, id] = [account(), account(), version()];
    await platform.reserve(owner, id, 10);
    expect(await platform.release(other, id)).toEqual({});
    expect(await platform.release(owner, version())).toEqual({});
    expect([await exact(owner), await exact(other)]).toEqual([10, 0]);
  });

  it('does nothing for a confirmed one, whose upload is open', async () => {
    const [owner, id] = [account(), version()];
    await platform.reserve(owner, id, 10);
    const ref = { account_id: owner, vault_id: newId('vlt_'), ingot_id: newId('ing_'), version_id: id };
    await platform.publish([versionOpened, { ...ref, size_bytes: 10 }]);
    await platform.waitForStatus(id, 'confirmed');
    await platform.release(owner, id);
    expect(await exact(owner)).toBe(10);
  });
});

describe('concurrent reservations', () => {
  it('ENV-24 OPEN-58: succeed in 37 of 100 calls when 37 fit', async () => {
    const owner = account();
    const calls = many(100, () => platform.reserve(owner, version(), 27)); // 37 x 27 = 999
    expect(await reasons(calls)).toEqual({ ok: 37, QUOTA_EXCEEDED: 63 });
    expect(await exact(owner)).toBe(999);
    await platform.waitForSnapshot(owner, ({ storage }) => storage.used === 999);
  });

  it('reserve once for 50 calls with one id', async () => {
    const [owner, id] = [account(), version()];
    expect(await reasons(many(50, () => platform.reserve(owner, id, 400)))).toEqual({ ok: 50 });
    expect(await exact(owner)).toBe(400);
  });

  it('keep the pool equal to their sum when they race their releases', async () => {
    const [owner, ids] = [account(), many(25, version)];
    const calls = ids.flatMap((id) => [
      platform.reserve(owner, id, 16),
      platform.release(owner, id),
      platform.reserve(owner, id, 16),
    ]);
    expect(await reasons(calls)).toEqual({ ok: 75 });
    await exact(owner);
    await Promise.all(ids.flatMap((id) => [platform.release(owner, id), platform.release(owner, id)]));
    expect(await exact(owner)).toBe(0);
    await platform.waitForSnapshot(owner, ({ storage }) => storage.used === 0);
  });
});

describe('reservations while Redis is down', () => {
  it('succeed, and are published once it is up again', async () => {
    const owner = account();
    await platform.reserve(owner, version(), 1);
    await redis.kill('SIGKILL');
    expect(await reasons(many(5, () => platform.reserve(owner, version(), 100)))).toEqual({ ok: 5 });
    await redis.restart();
    await platform.waitForSnapshot(owner, ({ storage }) => storage.used === 501);
  });

  it('publish the latest sum afterwards, whichever publication failed last', async () => {
    const owner = account();
    const { context } = platform.service;
    const [pools, publisher] = [context.get(PoolRepository), context.get(PoolSnapshotPublisher)];
    const draw = (reservedBytes: number) =>
      pools.draw(context.get(Database), [{ accountId: owner, reservedBytes }]);
    const [older, newer] = [await draw(1), await draw(1)];
    await redis.kill('SIGKILL');
    await expect(publisher.publishWithRetry(newer)).rejects.toThrow();
    await expect(publisher.publishWithRetry(older)).rejects.toThrow();
    await redis.restart();
    await platform.waitForSnapshot(owner, ({ storage }) => storage.used === 2);
  });
});
