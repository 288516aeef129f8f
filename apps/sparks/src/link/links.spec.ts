import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode, decodeQuery } from '@vaultsvc/contracts';
import {
  addOneTimeLink,
  DeletedLink,
  LinkList,
  LinkListQuery,
  putIngotShare,
  SparkLink,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { ingotDeleted, linkOrphaned, sharingDisabled, vaultDeleted } from '@vaultsvc/contracts/vaults';
import {
  accountContext,
  internalContext,
  publishFrom,
  reasonOf,
  stopSchedule,
} from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { PurgeLinks } from './purge-links.job.js';
import { linksOf } from '../testing/links.js';
import { usePlatform } from '../testing/platform.js';
import { vaultsPublisher } from '../testing/vaults-publisher.js';
import { LinkSealer } from './link-sealer.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
beforeAll(async () => {
  await stopSchedule(platform.service);
  links = linksOf(platform);
});

const linkSpark = { payload: 'https://example.com', content_type: 'text/uri-list' };
const fresh = () => {
  const owner = accountContext();
  const place = { account_id: owner.credential.accountId, vault_id: newId('vlt_'), ingot_id: newId('ing_') };
  return { owner, place };
};
const callContext = () => internalContext();
const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;
const durable = async (place: ReturnType<typeof fresh>['place']) => {
  const act = { ...place, ...actor, link_id: randomUUID() };
  const share = await platform.harness.bus.call(
    putIngotShare,
    { body: { ...act, visibility: 'public' } },
    callContext(),
  );
  return { ...act, ...share };
};
const oneTime = async (place: ReturnType<typeof fresh>['place']) => {
  const expires_at = Math.floor(Date.now() / 1_000) + 300;
  const body = { ...place, ...actor, link_id: randomUUID(), link_code: mintLinkCode(), expires_at };
  await platform.harness.bus.call(addOneTimeLink, { body }, callContext());
  return body;
};
const codes = async (query: Record<string, string>, owner: ReturnType<typeof accountContext>) =>
  (await links.list(query, owner)).sparklinks.map(({ link_code }) => link_code);

describe('GET /v1/sparklinks', () => {
  it('LNK-02 LNK-03 LNK-05 LNK-23: returns these fields, and a null cursor on the last page', async () => {
    const owner = accountContext();
    expect(await links.list({}, owner)).toEqual({ sparklinks: [], count: 0, cursor: null });
    const spark = await platform.create({ ...linkSpark, bound_ip: '::ffff:192.0.2.1' }, owner);
    const page = await links.list({}, owner);
    expect(page).toEqual({
      sparklinks: [
        {
          link_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          link_code: spark.link_code,
          link_url: spark.link_url,
          link_type: 'spark',
          asset_id: spark.spark_id,
          visibility: 'public',
          invites: [],
          status: 'active',
          bound_ip: '192.0.2.1',
          expires_at: spark.expires_at,
          created_at: spark.created_at,
          created_by: { kind: 'api_key', id: owner.credential.credentialId, name: null },
        },
      ],
      count: 1,
      cursor: null,
    });
    expect(decode(LinkList, page)).toEqual(page);
  });

  it('LNK-01: lists links of Sparks, of ingots, or of both', async () => {
    const { owner, place } = fresh();
    const spark = await platform.create(linkSpark, owner);
    const ingot = await durable(place);
    expect(await codes({ type: 'spark' }, owner)).toEqual([spark.link_code]);
    expect(await codes({ type: 'ingot' }, owner)).toEqual([ingot.link_code]);
    expect(await codes({}, owner)).toEqual([ingot.link_code, spark.link_code]);
  });

  it('LNK-01: accepts these query parameters and no others', () => {
    const read = (query: string) => decodeQuery(LinkListQuery, new URLSearchParams(query));
    expect(read('')).toMatchObject({ limit: 50 });
    expect(read('type=ingot&limit=100')).toMatchObject({ type: 'ingot', limit: 100 });
    for (const query of ['type=x', 'limit=0', 'limit=101', 'limit=1.5', 'limit=', 'type=spark&type=ingot'])
      expect(() => read(query)).toThrow(expect.objectContaining({ reason: 'VALIDATION_ERROR' }));
  });

  it('LNK-01 LNK-02 ENV-13: pages of two, newest first, contain every link once, also those created at the same time', async () => {
    const { owner, place } = fresh();
    const made = await Promise.all(Array.from({ length: 7 }, () => oneTime(place)));
    await platform.sql(`UPDATE sparklinks SET created_at = '2026-01-01 00:00:00.5+00' WHERE id = ANY($1)`, [
      made.slice(0, 5).map(({ link_id }) => link_id),
    ]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: LinkList = await links.list({ limit: '2', ...(cursor !== null && { cursor }) }, owner);
      seen.push(...page.sparklinks.map(({ link_code }) => link_code));
      cursor = page.cursor;
    } while (cursor !== null && seen.length <= made.length);
    expect(seen).toHaveLength(7);
    expect([...seen].sort()).toEqual(made.map(({ link_code }) => link_code).sort());
    expect(seen.slice(0, 2).sort()).toEqual(
      made
        .slice(5)
        .map(({ link_code }) => link_code)
        .sort(),
    );
  });

  it('ENV-41: lists no link of another account', async () => {
    await platform.create(linkSpark, accountContext());
    expect((await links.list({}, accountContext())).count).toBe(0);
  });
});

describe('one SparkLink', () => {
  it('LNK-24: has the id that its events have, in the list and in the detail', async () => {
    const { owner, place } = fresh();
    const { link_id, link_code } = await oneTime(place);
    const [created] = await links.publishedEvents(place.ingot_id);
    expect(created?.payload).toMatchObject({ link_id });
    expect((await links.list({}, owner)).sparklinks).toMatchObject([{ link_id, link_code }]);
    expect(await links.read(link_code, owner)).toMatchObject({ link_id });
  });

  it('LNK-04 LNK-06: has invites as identities in the list, and as objects in the detail', async () => {
    const owner = accountContext();
    const { spark_id } = await platform.create({ payload: 'x' }, owner);
    const { link_code } = await links.share(
      spark_id,
      { visibility: 'invite_only', invites: ['+4930123456'] },
      owner,
    );
    const [listed] = (await links.list({}, owner)).sparklinks;
    const link = await links.read(link_code, owner);
    expect(listed?.invites).toEqual(['+4930123456']);
    expect(link).toEqual({ ...listed, invites: [{ identity: '+4930123456', type: 'phone' }] });
    expect(decode(SparkLink, link)).toEqual(link);
  });

  it('LNK-03 LNK-17 OPEN-27: shows the last verified identity, its time and the session length, where they exist', async () => {
    const owner = accountContext();
    const spark = await platform.create(linkSpark, owner);
    const [row] = await platform.sql<{ id: string }>(`SELECT id FROM sparklinks WHERE asset_id = $1`, [
      spark.spark_id,
    ]);
    const id = row?.id as string;
    const [sealed] = await platform.service.context.get(LinkSealer).sealTexts(id, ['ann@example.test']);
    await platform.sql(
      `UPDATE sparklinks SET verified_kid = $2, verified_by = $3, verified_at = to_timestamp(1700000000.9), session_length = 60 WHERE id = $1`,
      [id, sealed?.kid, sealed?.sealed],
    );
    const facts = { verified_by: 'ann@example.test', verified_at: 1_700_000_000, session_length: 60 };
    expect(await links.read(spark.link_code as string, owner)).toMatchObject(facts);
    expect((await links.list({}, owner)).sparklinks).toEqual([expect.objectContaining(facts)]);
  });

  it('LNK-07: answers the same error, in these words, for an unknown code, one of another account and a malformed one', async () => {
    const owner = accountContext();
    const otherSpark = await platform.create(linkSpark, accountContext());
    const notFound = { status: 400, code: 'VALIDATION_ERROR', message: 'SparkLink not found' };
    for (const code of [
      mintLinkCode(),
      otherSpark.link_code as string,
      'x',
      '',
      '💥'.repeat(20),
      `${otherSpark.link_code} `,
    ]) {
      await expect(links.read(code, owner)).rejects.toMatchObject(notFound);
      await expect(links.remove(code, owner)).rejects.toMatchObject(notFound);
    }
    expect(await links.publishedEvents(otherSpark.spark_id)).toHaveLength(1);
  });

  it('MISC-03: opens a code that was sealed by the release before link ids', async () => {
    // Sealed as in the previous release, with account and asset as associated data.
    const owner = accountContext();
    const spark = await platform.create(linkSpark, owner);
    await platform.sql(`UPDATE sparklinks SET id = gen_random_uuid() WHERE asset_id = $1`, [spark.spark_id]);
    expect(await codes({}, owner)).toEqual([spark.link_code]);
  });
});

describe('DELETE /v1/sparklinks/{link_code}', () => {
  const names = async (assetId: string) => (await links.publishedEvents(assetId)).map(({ name }) => name);

  it('LNK-08 LNK-15 AMB-36: revokes the link, keeps the asset, and answers a repetition alike', async () => {
    const owner = accountContext();
    const spark = await platform.create(linkSpark, owner);
    const code = spark.link_code as string;
    for (const answer of [await links.remove(code, owner), await links.remove(code, owner)]) {
      expect(answer).toEqual({ deleted: true, link_code: code });
      expect(decode(DeletedLink, answer)).toEqual(answer);
    }
    expect(await links.read(code, owner)).toMatchObject({ status: 'revoked' });
    expect(await links.readShare(spark.spark_id, owner)).toEqual({ shared: false, spark_id: spark.spark_id });
    expect(await platform.read(spark.spark_id, owner)).toMatchObject({ payload: linkSpark.payload });
  });

  it('LNK-20: publishes one event with its actor for twenty concurrent calls', async () => {
    const owner = accountContext();
    const spark = await platform.create(linkSpark, owner);
    await Promise.all(Array.from({ length: 20 }, () => links.remove(spark.link_code as string, owner)));
    expect(await names(spark.spark_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-deleted']);
    expect((await links.publishedEvents(spark.spark_id))[1]).toMatchObject({
      request_id: owner.requestId,
      payload: { actor_type: 'api_key', actor_id: owner.credential.credentialId },
    });
  });

  it('LNK-14: leaves a consumed link consumed and publishes nothing', async () => {
    const owner = accountContext();
    const spark = await platform.create(linkSpark, owner);
    await platform.sql(`UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE asset_id = $1`, [
      spark.spark_id,
    ]);
    expect(await links.remove(spark.link_code as string, owner)).toMatchObject({ deleted: true });
    await links.unshare(spark.spark_id, owner);
    expect(await links.read(spark.link_code as string, owner)).toMatchObject({ status: 'consumed' });
    expect(await names(spark.spark_id)).toEqual(['sparks.sparklink-created']);
  });

  it('LNK-08: revokes a link of an ingot while vaults is down; vaults processes the event later', async () => {
    const { owner, place } = fresh();
    const share = await durable(place);
    expect(await links.remove(share.link_code, owner)).toEqual({ deleted: true, link_code: share.link_code });
    expect(await links.read(share.link_code, owner)).toMatchObject({ status: 'revoked' });
    expect(await names(place.ingot_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-deleted']);
  });
});

describe('events of vaults', () => {
  it('AMB-36 SHR-07 SHR-16: end links with their ingots and vaults, and durable links with their share', async () => {
    const telling = await platform.harness.start(vaultsPublisher, { LOG_LEVEL: 'silent' });
    const { owner, place } = fresh();
    const inVault = { ...place, ingot_id: newId('ing_') };
    const elsewhere = { ...place, vault_id: newId('vlt_'), ingot_id: newId('ing_') };
    const [share, once, deleted, kept] = [
      await durable(place),
      await oneTime(place),
      await durable(inVault),
      await durable(elsewhere),
    ];
    const statuses = async () =>
      Object.fromEntries(
        (await links.list({}, owner)).sparklinks.map(({ link_code, status }) => [link_code, status]),
      );
    await publishFrom(telling, [sharingDisabled, { ...place, ...actor, link_id: share.link_id }]);
    const after = await eventually(statuses, (now) => now[share.link_code] === 'revoked');
    expect(after).toEqual({
      [share.link_code]: 'revoked',
      [once.link_code]: 'active',
      [deleted.link_code]: 'active',
      [kept.link_code]: 'active',
    });
    await publishFrom(telling, [ingotDeleted, { ...inVault, ...actor }]);
    await eventually(statuses, (now) => !(deleted.link_code in now));
    const { account_id, vault_id } = place;
    await publishFrom(telling, [vaultDeleted, { account_id, vault_id, ...actor }]);
    expect(await eventually(statuses, (now) => !(once.link_code in now))).toEqual({
      [kept.link_code]: 'active',
    });
    expect((await links.publishedEvents(inVault.ingot_id)).at(-1)).toMatchObject({
      name: 'sparks.sparklink-deleted',
      payload: { actor_type: 'system', actor_id: null },
    });
  });

  it('ING-36 SHR-07: end a link that was created after them, and only that one', async () => {
    const telling = await platform.harness.start(vaultsPublisher, { LOG_LEVEL: 'silent' });
    const { place } = fresh();
    const [share, used, once] = [await durable(place), await oneTime(place), await oneTime(place)];
    await platform.sql(`UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE id = $1`, [
      used.link_id,
    ]);
    const statuses = async () =>
      (
        await platform.sql<{ status: string }>(
          `SELECT status FROM sparklinks WHERE asset_id = $1 ORDER BY created_at`,
          [place.ingot_id],
        )
      ).map(({ status }) => status);
    const orphan = (link_id: string, is_ingot_gone: boolean) =>
      publishFrom(telling, [linkOrphaned, { ...place, link_id, is_ingot_gone }]);
    await orphan(used.link_id, false);
    await orphan(share.link_id, false);
    const ended = ['revoked', 'consumed', 'active'];
    expect(await eventually(statuses, ([status]) => status === 'revoked')).toEqual(ended);
    await orphan(once.link_id, true);
    expect(await eventually(statuses, ({ length }) => length < 3)).toEqual(ended.slice(0, 2));
  });

  it('LNK-19: leave an expired link expired, however late the event of its key arrives', async () => {
    const telling = await platform.harness.start(vaultsPublisher, { LOG_LEVEL: 'silent' });
    const { owner, place } = fresh();
    const [expired, share] = [await oneTime(place), await durable(place)];
    await platform.sql(`UPDATE sparklinks SET expires_at = now() WHERE id = $1`, [expired.link_id]);
    const orphan = ({ link_id }: { link_id: string }) => ({ ...place, link_id, is_ingot_gone: false });
    await publishFrom(telling, [linkOrphaned, orphan(expired)], [linkOrphaned, orphan(share)]);
    const statuses = async () =>
      (await links.list({}, owner)).sparklinks.map(({ link_code, status }) => [link_code, status]);
    expect(await eventually(statuses, ([first]) => first?.[1] === 'revoked')).toEqual([
      [share.link_code, 'revoked'],
      [expired.link_code, 'active'],
    ]);
  });
});

describe('PurgeLinks', () => {
  it('AMB-36: deletes links of ingots 30 days after their end, and no active ones', async () => {
    const { owner, place } = fresh();
    const made = [await oneTime(place), await oneTime(place), await oneTime(place), await durable(place)];
    const ago = (index: number, change: string) =>
      platform.sql(`UPDATE sparklinks SET ${change} WHERE id = $1`, [made[index]?.link_id]);
    await ago(0, `expires_at = now() - interval '30 days'`);
    await ago(1, `status = 'consumed', consumed_at = now() - interval '31 days'`);
    await ago(2, `status = 'revoked', revoked_at = now() - interval '29 days'`);
    await platform.service.context.get(PurgeLinks).run();
    expect(await codes({}, owner)).toEqual([made[3]?.link_code, made[2]?.link_code]);
  });

  it('LNK-10: deletes a link that has outlived its Spark', async () => {
    const owner = accountContext();
    const [stray, live] = [await platform.create(linkSpark, owner), await platform.create(linkSpark, owner)];
    await platform.sql(`UPDATE sparklinks SET expires_at = now() - interval '3 days' WHERE asset_id = $1`, [
      stray.spark_id,
    ]);
    await platform.service.context.get(PurgeLinks).run();
    expect(await codes({}, owner)).toEqual([live.link_code]);
    expect(await reasonOf(links.read(stray.link_code as string, owner))).toBe('SPARKLINK_NOT_FOUND');
  });
});
