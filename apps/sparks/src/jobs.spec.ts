import { beforeAll, describe, expect, it } from '@jest/globals';
import { accountContext, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { usePlatform } from './testing/platform.js';
import { ExpireSparks } from './spark/expire-sparks.job.js';
import { DestroyEpochKeys } from './epoch-keys/destroy-epoch-keys.job.js';
import { PurgeKindlings } from './kindling/purge-kindlings.job.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let job: ExpireSparks;
beforeAll(async () => {
  await stopSchedule(platform.service);
  job = platform.service.context.get(ExpireSparks);
});

const caller = accountContext();
const expiredEvents = (id: string) =>
  outboxEvents(
    platform.service,
    { spark_id: id },
    { name: 'sparks.expired', columns: ['account_id', 'request_id', 'payload'] },
  );

describe('after the expiry of Sparks,', () => {
  it('SPK-50 OPEN-58: an unread Spark is wiped and stays listed, and its storage is released once', async () => {
    const { spark_id } = await platform.create({ payload: 'never read', ttl_minutes: 1 }, caller);
    await platform.age(spark_id, '61 seconds');
    await job.run();
    await job.run();
    expect(
      await platform.sql(`SELECT wrapped_dek, ciphertext FROM sparks WHERE id = $1`, [spark_id]),
    ).toEqual([{ wrapped_dek: null, ciphertext: null }]);
    const payload = { spark_id, account_id: caller.credential.accountId, size_bytes: 10 };
    expect(await expiredEvents(spark_id)).toEqual([
      { account_id: caller.credential.accountId, request_id: null, payload },
    ]);
    expect((await platform.list({}, caller)).sparks).toContainEqual(
      expect.objectContaining({ spark_id, status: 'expired' }),
    );
    expect(await reasonOf(platform.read(spark_id, caller))).toBe('SPARK_EXPIRED');
  });

  it('SPK-32: a wipe clears the read lock, so the concurrent reader cannot burn', async () => {
    const { spark_id } = await platform.create({ payload: 'x', ttl_minutes: 1 }, caller);
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [spark_id],
    );
    await platform.age(spark_id, '61 seconds');
    await job.run();
    expect(await platform.sql(`SELECT status, lock_token FROM sparks WHERE id = $1`, [spark_id])).toEqual([
      { status: 'active', lock_token: null },
    ]);
  });

  it('SPK-28 SPK-29 OPEN-50: burned and expired Sparks leave the table and answer 403 to callers that could read them', async () => {
    const burned = await platform.create({ payload: 'x', ttl_minutes: 1 }, caller);
    const unread = await platform.create({ payload: 'y', ttl_minutes: 1, with_kindling: true }, caller);
    await platform.read(burned.spark_id, caller);
    for (const { spark_id } of [burned, unread]) await platform.age(spark_id, '25 hours');
    await job.run();
    expect(
      await platform.sql(`SELECT 1 FROM sparks WHERE id = ANY($1)`, [[burned.spark_id, unread.spark_id]]),
    ).toEqual([]);
    expect(await reasonOf(platform.read(burned.spark_id, caller))).toBe('SPARK_BURNED');
    expect(await reasonOf(platform.read(unread.spark_id, caller))).toBe('SPARK_EXPIRED');
    expect(await reasonOf(platform.read(burned.spark_id, accountContext()))).toBe('SPARK_NOT_FOUND');
    expect(await reasonOf(platform.read(unread.spark_id, accountContext()))).toBe('SPARK_EXPIRED');
  });

  it('SPK-38 AMB-05: deletion removes the tombstone of an expired Spark and keeps that of a burned one', async () => {
    const burned = await platform.create({ payload: 'x' }, caller);
    const unread = await platform.create({ payload: 'y' }, caller);
    await platform.read(burned.spark_id, caller);
    for (const { spark_id } of [burned, unread]) await platform.age(spark_id, '49 hours');
    await job.run();
    for (const { spark_id } of [burned, unread]) await platform.remove(spark_id, caller);
    expect(await reasonOf(platform.read(burned.spark_id, caller))).toBe('SPARK_BURNED');
    expect(await reasonOf(platform.read(unread.spark_id, caller))).toBe('SPARK_NOT_FOUND');
  });

  it('SPK-36: a link is deleted with its Spark', async () => {
    const { spark_id } = await platform.create(
      { payload: 'https://example.com', content_type: 'text/uri-list' },
      caller,
    );
    await platform.age(spark_id, '49 hours');
    await job.run();
    expect(await platform.sql(`SELECT 1 FROM sparklinks WHERE asset_id = $1`, [spark_id])).toEqual([]);
  });

  it('OPEN-58: two concurrent instances release the storage of each Spark once, over several batches', async () => {
    const owner = accountContext();
    await platform.sql(
      `INSERT INTO sparks (id, account_id, content_type, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext)
       SELECT 'spk_' || lpad(n::text, 22, '0'), $1, 'text/plain', 1, 1, now(), now(), 'k', '\\x00', '\\x00' FROM generate_series(1, 1200) n`,
      [owner.credential.accountId],
    );
    await Promise.all([job.run(), job.run(), job.run()]);
    const [row] = await platform.sql(
      `SELECT count(*) AS events, count(DISTINCT payload->>'spark_id') AS sparks FROM recorded_events WHERE name = 'sparks.expired' AND account_id = $1`,
      [owner.credential.accountId],
    );
    expect(row).toEqual({ events: 1_200, sparks: 1_200 });
  });
});

describe('the deletion of keys', () => {
  it('SPK-50: destroys an epoch key once all Sparks of its hour have expired, and not before', async () => {
    const { spark_id } = await platform.create({ payload: 'x' }, caller);
    const [spark] = await platform.sql<{ kid: string; expires_at: Date }>(
      `SELECT kid, expires_at FROM sparks WHERE id = $1`,
      [spark_id],
    );
    const keys = () =>
      platform.keysSql<{ kid: string; destroy_after: Date }>(`SELECT kid, destroy_after FROM data_keys`);
    const key = (await keys()).find(({ kid }) => kid === spark?.kid);
    const keptMs = Number(key?.destroy_after) - Number(spark?.expires_at);
    expect(keptMs).toBeGreaterThanOrEqual(300_000);
    expect(keptMs).toBeLessThanOrEqual(3_900_000);
    await platform.keysSql(
      `INSERT INTO data_keys (purpose, kid, wrapped, destroy_after) VALUES ('spark-epoch', 'k2000010100', '\\x00', now())`,
    );
    await platform.service.context.get(DestroyEpochKeys).run();
    const kids = (await keys()).map(({ kid }) => kid);
    expect(kids).toContain(spark?.kid);
    expect(kids).not.toContain('k2000010100');
  });

  it('SPK-50: destroys the epoch keys of earlier releases in the main database, and keeps keys without an end', async () => {
    await platform.sql(
      `INSERT INTO data_keys (purpose, kid, wrapped, destroy_after)
       VALUES ('spark-epoch', '2000010100', '\\x00', now()), ('links', '200001', '\\x00', NULL)`,
    );
    await platform.service.context.get(DestroyEpochKeys).run();
    const kids = await platform.sql(`SELECT kid FROM data_keys WHERE kid LIKE '2000%'`);
    expect(kids).toEqual([{ kid: '200001' }]);
  });

  it('AMB-08 OPEN-63: deletes a kindling after 30 days once none of its Sparks is listed', async () => {
    const { kindling } = await platform.create({ payload: 'x', with_kindling: true }, caller);
    const alone = `kdl_${'1'.repeat(22)}`;
    await platform.sql(`INSERT INTO kindlings (id, account_id) VALUES ($1, 'acc')`, [alone]);
    await platform.sql(`UPDATE kindlings SET created_at = now() - interval '31 days'`);
    await platform.service.context.get(PurgeKindlings).run();
    expect((await platform.sql<{ id: string }>(`SELECT id FROM kindlings`)).map((row) => row.id)).toEqual([
      kindling,
    ]);
  });

  it('MISC-01 SPK-21: keeps a kindling while Sparks of another shard may be listed, for two days after the last one joined', async () => {
    const [recent, past] = [`kdl_${'2'.repeat(22)}`, `kdl_${'3'.repeat(22)}`];
    await platform.sql(
      `INSERT INTO kindlings (id, account_id, created_at, joined_shards, joined_at)
       VALUES ($1, 'acc', now() - interval '31 days', '{1}', now() - interval '48 hours'),
              ($2, 'acc', now() - interval '31 days', '{1}', now() - interval '51 hours')`,
      [recent, past],
    );
    await platform.service.context.get(PurgeKindlings).run();
    const kept = await platform.sql(`SELECT id FROM kindlings WHERE id = ANY($1)`, [[recent, past]]);
    expect(kept).toEqual([{ id: recent }]);
  });
});
