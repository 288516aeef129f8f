import { beforeAll, describe, expect, it } from '@jest/globals';
import { versionDropped, versionOpened, type SizedVersion } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { register } from 'prom-client';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';
import { EndReservations } from './end-reservations.job.js';

const platform = usePlatform({ STORAGE_POOL_BYTES: '1000000' });
beforeAll(async () => {
  await stopSchedule(...platform.instances);
});

const account = () => newId('acc_');
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const runJob = (copy = platform.service) => copy.context.get(EndReservations).run();

/** Inserts held reservations that have expired, or expire in `minutesLeft` minutes. */
async function held(accountId: string, count: number, bytes: number, minutesLeft = 0): Promise<string[]> {
  await platform.reserve(accountId, newId('ver_'), 1);
  const ids = many(count, () => newId('ver_'));
  await platform.sql(
    `INSERT INTO reservations (id, account_id, bytes, status, expires_at)
     SELECT unnest($1::text[]), $2, $3, 'held', now() + make_interval(mins => $4)`,
    [ids, accountId, bytes, minutesLeft],
  );
  await platform.sql(`UPDATE pools SET storage_reserved = storage_reserved + $2 WHERE account_id = $1`, [
    accountId,
    count * bytes,
  ]);
  return ids;
}

const opened = (accountId: string, id: string, size_bytes: number): [typeof versionOpened, SizedVersion] => {
  const ref = { account_id: accountId, vault_id: newId('vlt_'), ingot_id: newId('ing_'), version_id: id };
  return [versionOpened, { ...ref, size_bytes }];
};
const statusOf = async (id: string) =>
  (await platform.sql<{ status: string }>(`SELECT status FROM reservations WHERE id = $1`, [id]))[0]?.status;
const reserved = async (accountId: string) => {
  const { reserved, kept } = await platform.sums(accountId);
  expect(reserved).toBe(kept);
  return reserved;
};

describe('ENV-24: a held reservation', () => {
  it('is returned to the pool when it expires, and not before', async () => {
    const owner = account();
    await held(owner, 3, 100);
    await held(owner, 2, 10, 1);
    await runJob();
    expect(await reserved(owner)).toBe(22);
    await platform.waitForSnapshot(owner, ({ storage }) => storage.used === 22);
  });

  it('counts in vaultsvc_reservations_held_bytes until it expires', async () => {
    const figure = async () =>
      (await register.getSingleMetric('vaultsvc_reservations_held_bytes')?.get())?.values[0]?.value ?? 0;
    await runJob();
    const before = await figure();
    const [id] = await held(account(), 1, 5_000, 1);
    await runJob();
    expect((await figure()) - before).toBe(5_001);
    await platform.sql(`UPDATE reservations SET expires_at = now() WHERE id = $1`, [id]);
    await runJob();
    expect((await figure()) - before).toBe(1);
  });

  it('is inserted again when an event opens its upload after it expired', async () => {
    const owner = account();
    const [id = ''] = await held(owner, 1, 100);
    await runJob();
    expect(await reserved(owner)).toBe(1);
    await platform.publish(opened(owner, id, 100));
    await platform.waitForStatus(id, 'confirmed');
    expect(await reserved(owner)).toBe(101);
    await runJob();
    expect(await reserved(owner)).toBe(101);
  });

  it('counts once when two events open its upload', async () => {
    const [owner, id, last] = [account(), newId('ver_'), newId('ver_')];
    await platform.publish(opened(owner, id, 100));
    await platform.waitForStatus(id, 'confirmed');
    await platform.publish(opened(owner, id, 100));
    await platform.publish(opened(owner, last, 3)); // of the same account, so it is applied after it or in its batch
    await platform.waitForStatus(last, 'confirmed');
    expect(await reserved(owner)).toBe(103);
  });

  it('does not expire once it is confirmed', async () => {
    const owner = account();
    const [id = ''] = await held(owner, 1, 100, 1);
    await platform.publish(opened(owner, id, 100));
    await platform.waitForStatus(id, 'confirmed');
    await platform.sql(`UPDATE reservations SET expires_at = now() - interval '1 day' WHERE id = $1`, [id]);
    await runJob();
    expect(await reserved(owner)).toBe(101);
  });

  it('is returned exactly once by concurrent instances', async () => {
    const owners = many(20, account);
    for (const owner of owners) await held(owner, 150, 7);
    await Promise.all(platform.instances.flatMap((copy) => [runJob(copy), runJob(copy), runJob(copy)]));
    for (const owner of owners) expect(await reserved(owner)).toBe(1);
    expect(
      await platform.sql(`SELECT id FROM reservations WHERE expires_at <= now() AND status = 'held'`),
    ).toEqual([]);
  });

  it('keeps the pool equal to the sum of reservations when it expires, is confirmed and is released at once', async () => {
    const owner = account();
    const ids = await held(owner, 300, 5);
    const [confirmed, released] = [ids.slice(0, 100), ids.slice(100, 200)];
    await Promise.all([
      platform.publish(...confirmed.map((id) => opened(owner, id, 5))),
      ...released.map((id) => platform.release(owner, id)),
      ...platform.instances.flatMap((copy) => [runJob(copy), runJob(copy)]),
    ]);
    await Promise.all(confirmed.map((id) => platform.waitForStatus(id, 'confirmed')));
    expect(await reserved(owner)).toBe(501);
  });
});

describe('ENV-24: a closed reservation', () => {
  it('stays closed despite late events, and is deleted after 30 days', async () => {
    const owner = account();
    const [fresh, old] = [newId('ver_'), newId('ver_')];
    for (const id of [fresh, old]) {
      const [, { size_bytes: _, ...ref }] = opened(owner, id, 100);
      await platform.publish([versionDropped, ref]);
      await platform.waitForStatus(id, 'closed');
    }
    const age = `UPDATE reservations SET closed_at = now() - make_interval(hours => $2) WHERE id = $1`;
    await platform.sql(age, [fresh, 30 * 24 - 1]);
    await platform.sql(age, [old, 30 * 24]);
    await platform.publish(opened(owner, fresh, 100), opened(owner, old, 100));
    const last = newId('ver_');
    await platform.publish(opened(owner, last, 3)); // of the same account, so it is applied after them or in their batch
    await platform.waitForStatus(last, 'confirmed');
    expect([await statusOf(fresh), await statusOf(old), await reserved(owner)]).toEqual([
      'closed',
      'closed',
      3,
    ]);
    await runJob();
    expect([await statusOf(fresh), await statusOf(old), await reserved(owner)]).toEqual([
      'closed',
      undefined,
      3,
    ]);
  });
});
