import { describe, expect, it } from '@jest/globals';
import { deleteSpark } from '@vaultsvc/contracts/sparks';
import { accountContext, outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform();

const caller = accountContext();
const create = (body: object) => platform.create({ payload: 'x', ...body }, caller);
const remove = (id: string, context = caller) => platform.remove(id, context);
const links = (id: string) => platform.sql(`SELECT 1 FROM sparklinks WHERE asset_id = $1`, [id]);
const publishedEvents = (id: string) =>
  outboxEvents(platform.service, { spark_id: id }, { name: 'sparks.deleted', columns: ['payload'] });

describe('DELETE /v1/sparks/{spark_id}', () => {
  it('SPK-36: deletes an unread Spark with its link: it is not listed, and reading it answers 404', async () => {
    const { spark_id } = await create({ payload: 'https://example.com', content_type: 'text/uri-list' });
    await remove(spark_id);
    expect(await reasonOf(platform.read(spark_id, caller))).toBe('SPARK_NOT_FOUND');
    expect((await platform.list({}, caller)).sparks.map((spark) => spark.spark_id)).not.toContain(spark_id);
    expect(await links(spark_id)).toEqual([]);
  });

  it('SPK-37: answers a repetition and an unknown id alike, and publishes one event', async () => {
    const { spark_id } = await create({});
    await remove(spark_id);
    await remove(spark_id);
    await remove(`spk_${'0'.repeat(22)}`);
    const { accountId, credentialId } = caller.credential;
    const payload = {
      spark_id,
      account_id: accountId,
      size_bytes: 1,
      actor_type: 'api_key',
      actor_id: credentialId,
    };
    expect(await publishedEvents(spark_id)).toEqual([{ payload }]);
  });

  it('SPK-37 OPEN-55: answers a malformed id with success, by contract', () => {
    expect(deleteSpark).toMatchObject({ unknown: 'no-content', http: { status: 204 } });
  });

  it('SPK-38 AMB-04: keeps a burned Spark listed and deletes its active link', async () => {
    const { spark_id } = await create({ payload: 'https://example.com', content_type: 'text/uri-list' });
    await platform.read(spark_id, caller);
    const before = await platform.sql(`SELECT * FROM sparks WHERE id = $1`, [spark_id]);
    await remove(spark_id);
    expect(await platform.sql(`SELECT * FROM sparks WHERE id = $1`, [spark_id])).toEqual(before);
    expect((await platform.list({ status: 'ash' }, caller)).sparks.map((spark) => spark.spark_id)).toContain(
      spark_id,
    );
    expect(await links(spark_id)).toEqual([]);
    expect(await publishedEvents(spark_id)).toEqual([]);
  });

  it('AMB-05: changes no Spark of another account, even of a group', async () => {
    const [alone, grouped] = [
      await create({ payload: 'kept' }),
      await create({ payload: 'kept', with_kindling: true }),
    ];
    for (const { spark_id } of [alone, grouped]) {
      await remove(spark_id, accountContext());
      expect(await platform.read(spark_id, caller)).toMatchObject({ payload: 'kept' });
    }
  });

  it('AMB-05: deletes an expired Spark and releases its storage once', async () => {
    const { spark_id } = await create({ ttl_minutes: 1 });
    await platform.age(spark_id, '2 minutes');
    await remove(spark_id);
    expect(await reasonOf(platform.read(spark_id, caller))).toBe('SPARK_NOT_FOUND');
    const released = await outboxEvents(
      platform.service,
      { spark_id },
      { name: ['sparks.deleted', 'sparks.expired'] },
    );
    expect(released).toHaveLength(1);
  });

  it('AMB-05: answers 409 during a read, and succeeds with a stale lock', async () => {
    const { spark_id } = await create({});
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [spark_id],
    );
    expect(await reasonOf(remove(spark_id))).toBe('SPARK_READ_IN_FLIGHT');
    await platform.ageLock(spark_id, '31 seconds');
    await remove(spark_id);
    expect(await reasonOf(platform.read(spark_id, caller))).toBe('SPARK_NOT_FOUND');
  });
});
