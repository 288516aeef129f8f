import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import { SharedSpark, SparkShare, SparkSharing, UnsharedSpark } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { ConcurrentModification, Database } from '@vaultsvc/database';
import { accountContext, readReason, reasonOf } from '@vaultsvc/testing/harness';
import { timed } from '@vaultsvc/testing/waiting';
import { SYSTEM } from '../../link/link-events-sql.js';
import { LinkTerminationRepository } from '../../link/link-termination.repository.js';
import { LinkRepository, type LinkRow } from '../../link/link.repository.js';
import { ExpireSparks } from '../../spark/expire-sparks.job.js';
import { linksOf } from '../../testing/links.js';
import { usePlatform } from '../../testing/platform.js';
import { LinkTermsRepository } from './link-terms.repository.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
beforeAll(async () => {
  links = linksOf(platform);
});

const caller = accountContext();
const create = async (more: object = {}, owner = caller) =>
  platform.create({ payload: 'a secret', ...more }, owner);
const linkSpark = { payload: 'https://example.com', content_type: 'text/uri-list' };
const names = async (sparkId: string) => (await links.publishedEvents(sparkId)).map(({ name }) => name);
const cause = { actor: SYSTEM, requestId: null };
const invitation = async (owner = accountContext()) => {
  const { spark_id } = await create({}, owner);
  return {
    owner,
    spark_id,
    share: (invites: string[]) => links.share(spark_id, { visibility: 'invite_only', invites }, owner),
  };
};

describe('PATCH /v1/sparks/{spark_id}/share', () => {
  it('SPK-39 SPK-44 LNK-05: shares publicly until the expiry of the Spark by default, and returns these fields', async () => {
    const spark = await create();
    const share = await links.share(spark.spark_id, {}, caller);
    expect(share).toEqual({
      shared: true,
      link_url: `http://127.0.0.1:8082/${share.link_code}`,
      share_url: `http://127.0.0.1:8082/${share.link_code}`,
      link_code: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      visibility: 'public',
      invites: [],
      expires_at: spark.expires_at,
      created_at: expect.any(Number),
      already_shared: false,
    });
    expect(decode(SharedSpark, share)).toMatchObject(share);
  });

  it.each(['public', 'authenticated', 'invite_only'] as const)(
    'SPK-39: accepts the visibility %s',
    async (visibility) => {
      const { spark_id } = await create();
      expect(await links.share(spark_id, { visibility }, caller)).toMatchObject({ visibility, invites: [] });
    },
  );

  it('SPK-39 SPK-40 SPK-42: rejects other visibilities, a second invite, an unreachable identity, and 59 s', () => {
    for (const body of [
      { visibility: 'private' },
      { visibility: null },
      { visibility: 'invite_only', invites: ['a@example.test', 'b@example.test'] },
      { visibility: 'invite_only', invites: ['not an address'] },
      { visibility: 'invite_only', invites: ['0044123456789'] },
      { visibility: 'invite_only', invites: 'a@example.test' },
      { expires_in_seconds: 59 },
      { expires_in_seconds: 60.5 },
      { expires_in_seconds: '60' },
    ])
      expect(() => decode(SparkSharing, body)).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
  });

  it.each(['public', 'authenticated'])(
    'SPK-40: rejects invites with visibility %s, naming the field',
    async (visibility) => {
      const { spark_id } = await create();
      await expect(
        links.share(spark_id, { visibility, invites: ['a@example.test'] }, caller),
      ).rejects.toMatchObject({
        reason: 'VALIDATION_ERROR',
        details: { fields: [{ field: 'invites' }] },
      });
      expect(await links.readShare(spark_id, caller)).toEqual({ shared: false, spark_id });
    },
  );

  it('SPK-42: caps expires_in_seconds silently at the expiry of the Spark', async () => {
    const [long, short] = [await create({ ttl_minutes: 5 }), await create({ ttl_minutes: 5 })];
    for (const seconds of [301, 10 ** 9, Number.MAX_SAFE_INTEGER])
      expect(
        await links.share(
          (await create({ ttl_minutes: 5 })).spark_id,
          { expires_in_seconds: seconds },
          caller,
        ),
      ).toMatchObject({ shared: true });
    expect(await links.share(long.spark_id, { expires_in_seconds: 10 ** 9 }, caller)).toMatchObject({
      expires_at: long.expires_at,
    });
    const { result, from, to } = await timed(() =>
      links.share(short.spark_id, { expires_in_seconds: 60 }, caller),
    );
    expect(result.expires_at).toBeGreaterThanOrEqual(from + 60);
    expect(result.expires_at).toBeLessThanOrEqual(to + 60);
  });

  it('SPK-43 SPK-45 LNK-10: returns the same link with the same expiry again, and changes only visibility and invites', async () => {
    const { spark_id } = await create();
    const first = await links.share(spark_id, { expires_in_seconds: 60 }, caller);
    const again = await links.share(
      spark_id,
      { visibility: 'authenticated', expires_in_seconds: 600 },
      caller,
    );
    expect(again).toEqual({ ...first, visibility: 'authenticated', already_shared: true });
    expect((await links.list({ type: 'spark' }, caller)).sparklinks).toContainEqual(
      expect.objectContaining({ asset_id: spark_id, link_code: first.link_code }),
    );
    expect(
      (await links.list({}, caller)).sparklinks.filter(({ asset_id }) => asset_id === spark_id),
    ).toHaveLength(1);
    expect(await names(spark_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-updated']);
  });

  it('AMB-36: makes a new link with a new code and an invitation in place of one that has expired', async () => {
    const owner = accountContext();
    const { spark_id } = await create({}, owner);
    const terms = { visibility: 'invite_only', invites: ['ann@example.test'] };
    const first = await links.share(spark_id, { ...terms, expires_in_seconds: 60 }, owner);
    await platform.sql(
      `UPDATE sparklinks SET created_at = created_at - interval '61 seconds', expires_at = expires_at - interval '61 seconds'
        WHERE asset_id = $1`,
      [spark_id],
    );
    const second = await links.share(spark_id, { ...terms, expires_in_seconds: 120 }, owner);
    expect(second).toMatchObject({
      already_shared: false,
      visibility: 'invite_only',
      invites: ['ann@example.test'],
    });
    expect(second.link_code).not.toBe(first.link_code);
    expect(second.expires_at).toBeGreaterThan(Date.now() / 1_000 + 100);
    expect(await links.enqueuedMessages(owner.credential.accountId)).toHaveLength(2);
    expect(await links.readShare(spark_id, owner)).toMatchObject({ link_code: second.link_code });
    expect(await links.read(first.link_code, owner)).toMatchObject({ expires_at: first.expires_at - 61 });
    expect(await links.share(spark_id, terms, owner)).toMatchObject({
      already_shared: true,
      link_code: second.link_code,
    });
    expect(await names(spark_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-created']);
  });

  it('LNK-20: publishes nothing when nothing changes', async () => {
    const { spark_id } = await create();
    const first = await links.share(spark_id, {}, caller);
    expect(await links.share(spark_id, {}, caller)).toEqual({ ...first, already_shared: true });
    expect(await names(spark_id)).toEqual(['sparks.sparklink-created']);
  });

  it('TRAP 9 SPK-09 SPK-45: keeps the code of a link Spark, which is shared from its creation', async () => {
    const spark = await create(linkSpark);
    const share = await links.share(spark.spark_id, { visibility: 'authenticated' }, caller);
    expect(share).toMatchObject({
      already_shared: true,
      link_code: spark.link_code,
      share_url: spark.link_url,
      expires_at: spark.expires_at,
    });
  });

  it('SPK-46: answers 403 for burned and expired Sparks, also from tombstones, and 404 for unknown ones and those of other accounts', async () => {
    const [burned, expired] = [await create(), await create({ ttl_minutes: 1 })];
    const grouped = await create({ with_kindling: true });
    await platform.read(burned.spark_id, caller);
    await platform.age(expired.spark_id, '61 seconds');
    const reason = (id: string, who = caller) => reasonOf(links.share(id, {}, who));
    const both = async () => [await reason(burned.spark_id), await reason(expired.spark_id)];
    expect(await both()).toEqual(['SPARK_BURNED', 'SPARK_EXPIRED']);
    for (const { spark_id } of [burned, expired]) await platform.age(spark_id, '49 hours');
    await platform.service.context.get(ExpireSparks).run();
    expect(await both()).toEqual(['SPARK_BURNED', 'SPARK_EXPIRED']);
    expect(await reason(`spk_${'0'.repeat(22)}`)).toBe('SPARK_NOT_FOUND');
    const otherCaller = accountContext();
    for (const { spark_id } of [burned, grouped, await create()])
      expect(await reason(spark_id, otherCaller)).toBe('SPARK_NOT_FOUND');
    expect(
      await platform.sql(`SELECT 1 FROM sparklinks WHERE account_id = $1`, [
        otherCaller.credential.accountId,
      ]),
    ).toEqual([]);
  });

  it('SPK-46: answers 409 during a read, and succeeds once the read lock is stale', async () => {
    const { spark_id } = await create();
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [spark_id],
    );
    expect(await reasonOf(links.share(spark_id, {}, caller))).toBe('SPARK_READ_IN_FLIGHT');
    await platform.ageLock(spark_id, '31 seconds');
    expect(await links.share(spark_id, {}, caller)).toMatchObject({ already_shared: false });
  });
});

describe('SPK-40 SPK-41: an invitee', () => {
  it('is shown and gets one invitation, whose event does not contain the address', async () => {
    const { owner, spark_id, share } = await invitation();
    expect(await share(['Ann@Example.test'])).toMatchObject({
      visibility: 'invite_only',
      invites: ['Ann@Example.test'],
    });
    const enqueuedMessages = await links.enqueuedMessages(owner.credential.accountId);
    expect(enqueuedMessages).toEqual([
      {
        name: 'sparks.message-owed',
        account_id: owner.credential.accountId,
        request_id: owner.requestId,
        payload: {
          account_id: owner.credential.accountId,
          message_id: expect.any(String),
          kind: 'invitation',
          channel: 'email',
        },
      },
    ]);
    expect(
      await platform.sql(`SELECT kind FROM link_messages WHERE id = $1`, [
        enqueuedMessages[0]?.payload['message_id'],
      ]),
    ).toEqual([{ kind: 'invitation' }]);
    expect(await names(spark_id)).toEqual(['sparks.sparklink-created']);
  });

  it('gets no second invitation, also when spelled in other case; a new invitee gets one', async () => {
    const { owner, spark_id, share } = await invitation();
    const enqueuedMessages = async () => (await links.enqueuedMessages(owner.credential.accountId)).length;
    await share(['ann@example.test']);
    expect(await share(['ANN@example.test'])).toMatchObject({ invites: ['ann@example.test'] });
    expect(await enqueuedMessages()).toBe(1);
    expect(await share(['+4930123456'])).toMatchObject({ invites: ['+4930123456'] });
    expect(await enqueuedMessages()).toBe(2);
    expect((await links.enqueuedMessages(owner.credential.accountId))[1]?.payload).toMatchObject({
      channel: 'phone',
    });
    expect(await links.readShare(spark_id, owner)).toMatchObject({ invites: ['+4930123456'] });
    expect(await share([])).toMatchObject({ visibility: 'invite_only', invites: [] });
    expect(await enqueuedMessages()).toBe(2);
  });

  it('is removed once the link is public', async () => {
    const { owner, spark_id, share } = await invitation();
    await share(['ann@example.test']);
    expect(await links.share(spark_id, {}, owner)).toMatchObject({ visibility: 'public', invites: [] });
    expect(
      await platform.sql(
        `SELECT i.id FROM invites i JOIN sparklinks l ON l.id = i.link_id WHERE asset_id = $1`,
        [spark_id],
      ),
    ).toEqual([]);
  });
});

describe('GET /v1/sparks/{spark_id}/share', () => {
  it('SPK-48: returns exactly two fields for an unshared Spark', async () => {
    const { spark_id } = await create();
    const share = await links.readShare(spark_id, caller);
    expect(share).toEqual({ shared: false, spark_id });
    expect(decode(SparkShare, share)).toEqual(share);
  });

  it('SPK-47: returns these fields for a shared Spark', async () => {
    const { spark_id } = await create();
    const made = await links.share(
      spark_id,
      { visibility: 'invite_only', invites: ['ann@example.test'] },
      caller,
    );
    expect(await links.readShare(spark_id, caller)).toEqual({
      shared: true,
      spark_id,
      link_url: made.share_url,
      share_url: made.share_url,
      link_code: made.link_code,
      visibility: 'invite_only',
      invites: ['ann@example.test'],
      status: 'active',
      expires_at: made.expires_at,
      created_at: made.created_at,
    });
  });

  it('AMB-48 SPK-47: shows the link as consumed once the Spark was read over the API, and not before', async () => {
    const owner = accountContext();
    const [spark, unread] = [await create(linkSpark, owner), await create(linkSpark, owner)];
    await platform.read(spark.spark_id, owner);
    const code = spark.link_code as string;
    const status = 'consumed';
    expect(await links.readShare(spark.spark_id, owner)).toMatchObject({ shared: true, status });
    expect(await links.read(code, owner)).toMatchObject({ status });
    const { sparklinks } = await links.list({}, owner);
    expect(sparklinks.map(({ asset_id, status }) => [asset_id, status])).toEqual([
      [unread.spark_id, 'active'],
      [spark.spark_id, status],
    ]);
  });

  it('SPK-46: answers 404 to another account, even for a Spark of a group', async () => {
    const { spark_id } = await create({ with_kindling: true });
    const unknown = `spk_${'0'.repeat(22)}`;
    for (const ask of [links.readShare, links.unshare]) {
      expect(await reasonOf(ask(spark_id, accountContext()))).toBe('SPARK_NOT_FOUND');
      expect(await reasonOf(ask(unknown, caller))).toBe('SPARK_NOT_FOUND');
    }
  });
});

describe('DELETE /v1/sparks/{spark_id}/share', () => {
  it('SPK-49 LNK-15: succeeds twice and without a link, publishes one event and keeps the Spark', async () => {
    const { spark_id } = await create();
    const { link_code } = await links.share(spark_id, {}, caller);
    const answers = [await links.unshare(spark_id, caller), await links.unshare(spark_id, caller)];
    for (const answer of [...answers, await links.unshare((await create()).spark_id, caller)]) {
      expect(answer).toEqual({ shared: false, message: expect.any(String) });
      expect(decode(UnsharedSpark, answer)).toEqual(answer);
    }
    expect(await links.read(link_code, caller)).toMatchObject({ status: 'revoked' });
    expect(await names(spark_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-revoked']);
    expect(await platform.read(spark_id, caller)).toMatchObject({ payload: 'a secret' });
  });

  it('SPK-48 SPK-49: ends the share of a consumed link, which stays listed as consumed', async () => {
    const { spark_id } = await create();
    const { link_code } = await links.share(spark_id, {}, caller);
    await platform.sql(`UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE asset_id = $1`, [
      spark_id,
    ]);
    expect(await links.readShare(spark_id, caller)).toMatchObject({ shared: true, status: 'consumed' });
    await links.unshare(spark_id, caller);
    expect(await links.readShare(spark_id, caller)).toEqual({ shared: false, spark_id });
    expect(await links.read(link_code, caller)).toMatchObject({ status: 'consumed' });
    expect(await names(spark_id)).toEqual(['sparks.sparklink-created']);
  });

  it('ENV-41 SPK-47 SPK-49: finds and ends no link for another account', async () => {
    const { spark_id } = await create();
    await links.share(spark_id, {}, caller);
    await platform.sql(`UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE asset_id = $1`, [
      spark_id,
    ]);
    const before = await links.readShare(spark_id, caller);
    const foreign = { assetId: spark_id, accountId: newId('acc_') };
    const { context } = platform.service;
    const terminations = context.get(LinkTerminationRepository);
    expect(await context.get(LinkRepository).findManaged(spark_id, foreign.accountId)).toBeUndefined();
    await terminations.unshare(context.get(Database), foreign, await terminations.codesOf(foreign), cause);
    expect(await links.readShare(spark_id, caller)).toEqual(before);
  });

  it('AMB-36 SPK-47: lets a new share have another code, while the former link stays listed as revoked', async () => {
    const owner = accountContext();
    const { spark_id } = await create({}, owner);
    const first = await links.share(spark_id, {}, owner);
    await links.unshare(spark_id, owner);
    expect(await links.readShare(spark_id, owner)).toEqual({ shared: false, spark_id });
    const second = await links.share(spark_id, {}, owner);
    expect(second).toMatchObject({ already_shared: false });
    expect(second.link_code).not.toBe(first.link_code);
    expect(
      (await links.list({}, owner)).sparklinks.map(({ link_code, status }) => [link_code, status]),
    ).toEqual([
      [second.link_code, 'active'],
      [first.link_code, 'revoked'],
    ]);
  });

  it('SPK-36 AMB-36 LNK-07: is done by the deletion of the Spark, with one event whose actor is the system', async () => {
    const { spark_id } = await create(linkSpark);
    const withdrawn = await links.readShare(spark_id, caller);
    await links.unshare(spark_id, caller);
    const { link_code } = await links.share(spark_id, {}, caller);
    await Promise.all([platform.remove(spark_id, caller), platform.remove(spark_id, caller)]);
    for (const code of [link_code, withdrawn.link_code as string])
      expect(await reasonOf(links.read(code, caller))).toBe('SPARKLINK_NOT_FOUND');
    const publishedEvents = await links.publishedEvents(spark_id);
    expect(publishedEvents.map(({ name }) => name)).toEqual([
      'sparks.sparklink-created',
      'sparks.sparklink-revoked',
      'sparks.sparklink-created',
      'sparks.sparklink-deleted',
    ]);
    expect(publishedEvents[3]?.payload).toMatchObject({
      actor_type: 'system',
      actor_id: null,
      actor: { kind: 'job', id: 'end-links' },
      asset_id: spark_id,
    });
  });

  it('AMB-04: is done by the deletion of a burned Spark, with one event', async () => {
    const spark = await create(linkSpark);
    await platform.read(spark.spark_id, caller);
    await platform.remove(spark.spark_id, caller);
    await platform.remove(spark.spark_id, caller);
    expect(await links.readShare(spark.spark_id, caller)).toEqual({
      shared: false,
      spark_id: spark.spark_id,
    });
    expect(await names(spark.spark_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-deleted']);
  });
});

describe('LNK-20: the events of a link', () => {
  it('contain the actor and the ids of the link, and never its code', async () => {
    const user = accountContext({ kind: 'session', userId: 'usr_1111111111111111111111' });
    const { spark_id, expires_at } = await create(linkSpark, user);
    const [event] = await links.publishedEvents(spark_id);
    const [row] = await platform.sql(`SELECT id FROM sparklinks WHERE asset_id = $1`, [spark_id]);
    expect(event).toEqual({
      name: 'sparks.sparklink-created',
      account_id: user.credential.accountId,
      request_id: user.requestId,
      payload: {
        account_id: user.credential.accountId,
        link_id: row?.['id'],
        link_type: 'spark',
        asset_id: spark_id,
        vault_id: null,
        expires_at,
        actor_type: 'session',
        actor_id: 'usr_1111111111111111111111',
      },
    });
  });
});

describe('concurrent shares of one Spark', () => {
  const outcome = (answer: Promise<unknown>) => answer.then(() => 'done', readReason);

  it('LNK-10 LNK-20 SPK-45: create one link and publish one event for twenty first shares', async () => {
    for (let round = 0; round < 5; round++) {
      const { spark_id } = await create();
      const shares = await Promise.all(
        Array.from({ length: 20 }, () => links.share(spark_id, { visibility: 'authenticated' }, caller)),
      );
      expect(new Set(shares.map(({ link_code }) => link_code)).size).toBe(1);
      expect(shares.filter((share) => !share.already_shared)).toHaveLength(1);
      expect(await names(spark_id)).toEqual(['sparks.sparklink-created']);
    }
  });

  it('SPK-41 SPK-45: enqueue one invitation when twenty invite the same identity', async () => {
    const { owner, spark_id, share } = await invitation();
    await Promise.all(Array.from({ length: 20 }, () => share(['ann@example.test'])));
    expect(await links.enqueuedMessages(owner.credential.accountId)).toHaveLength(1);
    expect(
      await platform.sql(
        `SELECT 1 FROM invites i JOIN sparklinks l ON l.id = i.link_id WHERE asset_id = $1`,
        [spark_id],
      ),
    ).toHaveLength(1);
  });

  it('SPK-41: leave one invitee when ten invite different ones, and enqueue an invitation for each', async () => {
    const { owner, spark_id, share } = await invitation();
    await Promise.all(Array.from({ length: 10 }, (_, n) => share([`guest${n}@example.test`])));
    expect((await links.readShare(spark_id, owner)).invites).toHaveLength(1);
    expect(await links.enqueuedMessages(owner.credential.accountId)).toHaveLength(10);
  });

  it.each([
    `updated_at = updated_at + interval '1 second'`,
    `status = 'consumed', consumed_at = now()`,
    `expires_at = now()`,
  ])('SPK-45 LNK-20: change no link that another call has changed since it was read: %s', async (change) => {
    const { spark_id } = await create();
    await links.share(spark_id, {}, caller);
    const { context } = platform.service;
    const read = await context.get(LinkRepository).findManaged(spark_id, caller.credential.accountId);
    await platform.sql(`UPDATE sparklinks SET ${change} WHERE asset_id = $1`, [spark_id]);
    const terms = { visibility: 'authenticated', invites: { removed: [], added: [] } } as const;
    const changed = context.get(LinkTermsRepository).change(read as LinkRow, terms, cause);
    await expect(changed).rejects.toThrow(ConcurrentModification);
    expect(await names(spark_id)).toEqual(['sparks.sparklink-created']);
  });

  it('SPK-46 LNK-10: race with a burn and with a deletion: no link of a deleted Spark is left', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const { spark_id } = await create();
      const rival = outcome(round % 2 ? platform.remove(spark_id, caller) : platform.read(spark_id, caller));
      const shares = Array.from({ length: 3 }, () => outcome(links.share(spark_id, {}, caller)));
      const outcomes = [...(await Promise.all(shares)), await rival];
      for (const each of outcomes) seen.add(each);
      const [row] = await platform.sql(
        `SELECT (SELECT count(*) FROM sparklinks WHERE asset_id = $1) AS links, (SELECT count(*) FROM sparks WHERE id = $1) AS sparks`,
        [spark_id],
      );
      expect(row?.['links']).toBeLessThanOrEqual(row?.['sparks'] as number);
    }
    for (const each of seen)
      expect(['done', 'SPARK_BURNED', 'SPARK_NOT_FOUND', 'SPARK_READ_IN_FLIGHT']).toContain(each);
  });
});
