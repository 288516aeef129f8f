import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { sparksUnclaimed } from '@vaultsvc/contracts/vaults';
import { accountContext, outboxEvents, publishFrom, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { until } from '@vaultsvc/testing/waiting';
import { linksOf } from '../../testing/links.js';
import { mintingOf, removeUnclaimed, sparkOf } from '../../testing/minting.js';
import { usePlatform } from '../../testing/platform.js';
import { vaultsPublisher } from '../../testing/vaults-publisher.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await stopSchedule(platform.service);
});

const caller = accountContext();
const applyUnclaimed = (ids: string[], of = caller) => removeUnclaimed(platform.service, ids, of);
const minted = async (...contents: string[]) => {
  const sparks = contents.map((content) => sparkOf(content));
  await mintingOf(platform.harness, caller).mint(sparks);
  return sparks.map(({ spark_id }) => spark_id) as [string, ...string[]];
};
const read = (id: string) =>
  platform.read(id, caller).then(
    ({ payload }) => payload,
    (error: { reason: string }) => error.reason,
  );
/** The events that have released the storage of these Sparks. */
const releases = (ids: readonly string[]) =>
  outboxEvents(
    platform.service,
    { spark_id: ids },
    { name: ['sparks.read', 'sparks.deleted', 'sparks.expired'], columns: ['name', 'payload'] },
  );

describe('unclaimed Sparks', () => {
  it('STR-12: are deleted on the event of a failed retrieval', async () => {
    const ids = await minted('never', 'received');
    const { accountId: account_id, credentialId: actor_id } = caller.credential;
    const telling = await platform.harness.start(vaultsPublisher, { LOG_LEVEL: 'silent' });
    const unclaimed = { account_id, actor_type: 'api_key', actor_id, spark_ids: ids } as const;
    await publishFrom(telling, [sparksUnclaimed, unclaimed]);
    await until(async () => (await releases(ids)).length === 2);
    expect(await Promise.all(ids.map(read))).toEqual(ids.map(() => 'SPARK_NOT_FOUND'));
  });

  it('STR-12: are deleted and release their storage once, however often the event is applied', async () => {
    const ids = await minted('a', 'bb', 'ccc');
    await Promise.all([applyUnclaimed(ids), applyUnclaimed(ids)]);
    await applyUnclaimed(ids);
    expect(await Promise.all(ids.map(read))).toEqual(ids.map(() => 'SPARK_NOT_FOUND'));
    const publishedEvents = await releases(ids);
    expect(publishedEvents.map(({ name }) => name)).toEqual([
      'sparks.deleted',
      'sparks.deleted',
      'sparks.deleted',
    ]);
    expect(publishedEvents.reduce((sum, { payload }) => sum + Number(payload['size_bytes']), 0)).toBe(6);
    expect(publishedEvents[0]?.payload).toMatchObject({
      account_id: caller.credential.accountId,
      actor_type: 'api_key',
      actor_id: caller.credential.credentialId,
    });
  });

  it('are deleted even if others of the event never existed', async () => {
    const [id] = await minted('x');
    await applyUnclaimed([newId('spk_'), id, newId('spk_')]);
    expect(await read(id)).toBe('SPARK_NOT_FOUND');
  });

  it('STR-12: stay when they are burned, with their links, under a read lock, or of another account', async () => {
    const [burned, busy, own] = (await minted('burned', 'busy', 'own')) as [string, string, string];
    const links = linksOf(platform);
    const { link_code } = await links.share(burned, { visibility: 'public' }, caller);
    await read(burned);
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [busy],
    );
    await applyUnclaimed([burned, busy]);
    await applyUnclaimed([own], accountContext());
    expect(
      await platform.sql(`SELECT id FROM sparks WHERE id = ANY($1)`, [[burned, busy, own]]),
    ).toHaveLength(3);
    expect(await links.read(link_code, caller)).toMatchObject({ status: 'consumed' });
    await platform.ageLock(busy, '31 seconds');
    expect([await read(burned), await read(busy), await read(own)]).toEqual(['SPARK_BURNED', 'busy', 'own']);
  });

  it('are deleted with their links', async () => {
    const [shared, plain] = (await minted('shared', 'plain')) as [string, string];
    const links = linksOf(platform);
    const { link_code } = await links.share(shared, { visibility: 'public' }, caller);
    await applyUnclaimed([shared, plain]);
    expect(await platform.sql(`SELECT 1 FROM sparklinks WHERE asset_id = $1`, [shared])).toEqual([]);
    expect(await reasonOf(links.read(link_code, caller))).toBe('SPARKLINK_NOT_FOUND');
  });

  it('release no storage again when their expiry has released it', async () => {
    const [id] = await minted('x');
    await platform.age(id, '16 minutes');
    await platform.sql(`UPDATE sparks SET wrapped_dek = NULL, ciphertext = NULL WHERE id = $1`, [id]);
    await applyUnclaimed([id]);
    expect(await releases([id])).toEqual([]);
  });

  it('race with readers: storage is released once, and only a reader that burned has the content', () =>
    raceUntilSeen(['sparks.read', 'sparks.deleted'], 20, async (together) => {
      const ids = await minted('either', 'or');
      const [contents] = await together(
        () => Promise.all(ids.map(read)),
        () => applyUnclaimed(ids),
      );
      const publishedEvents = new Map(
        (await releases(ids)).map(({ name, payload }) => [payload.spark_id, name]),
      );
      const left = await platform.sql<{ id: string }>(
        `SELECT id FROM sparks WHERE id = ANY($1) AND status = 'active'`,
        [ids],
      );
      expect(left).toEqual([]);
      ids.forEach((id, index) =>
        expect(['either', 'or'].includes(contents[index] as string)).toBe(
          publishedEvents.get(id) === 'sparks.read',
        ),
      );
      return publishedEvents.get(ids[0]) as string;
    }));
});
