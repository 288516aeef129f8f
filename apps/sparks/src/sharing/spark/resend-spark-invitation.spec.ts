import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import { ResentSparkInvitation } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { accountContext, lockWaiters, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { timed, until } from '@vaultsvc/testing/waiting';
import { BURN } from '../../spark/burning/burn-statements.js';
import { ExpireSparks } from '../../spark/expire-sparks.job.js';
import { linksOf } from '../../testing/links.js';
import { usePlatform } from '../../testing/platform.js';
import { invitedIdentities } from '../../testing/sent-codes.js';
import { visitsTo, type Visits } from '../../testing/visits.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
let visits: Visits;
beforeAll(async () => {
  await stopSchedule(platform.service);
  links = linksOf(platform);
  visits = visitsTo(platform.harness);
});

const ANN = 'ann@example.test';
const BEN = 'ben@example.test';
const caller = accountContext();
const create = async (more: object = {}) =>
  (await platform.create({ payload: 'a secret', ...more }, caller)).spark_id;
const share = (sparkId: string, identity = ANN) =>
  links.share(sparkId, { visibility: 'invite_only', invites: [identity] }, caller);
const resend = (sparkId: string, who = caller) => links.resend(sparkId, who);
const invited = (sparkId: string) => invitedIdentities(platform, sparkId);

/** A Spark whose link is for Ann, who was sent the first invitation. */
async function forAnn() {
  const spark_id = await create();
  return { spark_id, ...(await share(spark_id)) };
}

describe('POST /v1/sparks/{spark_id}/share/resend', () => {
  it('SPK-54: enqueues the invitation once more, and returns these fields', async () => {
    const { spark_id } = await forAnn();
    const { result, from, to } = await timed(() => resend(spark_id));
    expect(result).toEqual({ spark_id, resent: true, sent_at: expect.any(Number) });
    expect(decode(ResentSparkInvitation, result)).toEqual(result);
    expect(result.sent_at).toBeGreaterThanOrEqual(from);
    expect(result.sent_at).toBeLessThanOrEqual(to);
    expect(await invited(spark_id)).toEqual([ANN, ANN]);
  });

  it('SPK-54 LNK-20: changes nothing about the link, and publishes the message without the address', async () => {
    const owner = accountContext();
    const { spark_id } = await platform.create({ payload: 'a secret' }, owner);
    await links.share(spark_id, { visibility: 'invite_only', invites: [ANN] }, owner);
    const before = [await links.readShare(spark_id, owner), await links.publishedEvents(spark_id)];
    await resend(spark_id, owner);
    expect([await links.readShare(spark_id, owner), await links.publishedEvents(spark_id)]).toEqual(before);
    const { accountId } = owner.credential;
    const [, again, ...more] = await links.enqueuedMessages(accountId);
    expect(again).toEqual({
      name: 'sparks.message-owed',
      account_id: accountId,
      request_id: owner.requestId,
      payload: {
        account_id: accountId,
        message_id: expect.any(String),
        kind: 'invitation',
        channel: 'email',
      },
    });
    expect(more).toEqual([]);
  });

  it('SPK-54: enqueues one message for each of two calls at the same time', async () => {
    const { spark_id } = await forAnn();
    await Promise.all([resend(spark_id), resend(spark_id)]);
    expect(await invited(spark_id)).toEqual([ANN, ANN, ANN]);
  });

  it('SPK-54 SPK-46: answers 404 for an unknown Spark, and for one of another account', async () => {
    const { spark_id } = await forAnn();
    expect(await reasonOf(resend(`spk_${'0'.repeat(22)}`))).toBe('SPARK_NOT_FOUND');
    expect(await reasonOf(resend(spark_id, accountContext()))).toBe('SPARK_NOT_FOUND');
    expect(await invited(spark_id)).toEqual([ANN]);
  });

  it('SPK-54 SPK-46: answers 403 for burned and expired Sparks, also from tombstones', async () => {
    const [burned, expired] = [await forAnn(), await forAnn()];
    await platform.read(burned.spark_id, caller);
    await platform.age(expired.spark_id, '25 hours');
    const both = async () => [
      await reasonOf(resend(burned.spark_id)),
      await reasonOf(resend(expired.spark_id)),
    ];
    expect(await both()).toEqual(['SPARK_BURNED', 'SPARK_EXPIRED']);
    for (const { spark_id } of [burned, expired]) expect(await invited(spark_id)).toEqual([ANN]);
    for (const { spark_id } of [burned, expired]) await platform.age(spark_id, '49 hours');
    await platform.service.context.get(ExpireSparks).run();
    expect(await both()).toEqual(['SPARK_BURNED', 'SPARK_EXPIRED']);
  });

  it('SPK-54 SPK-46: answers 409 during a read, and sends once the read lock is stale', async () => {
    const { spark_id } = await forAnn();
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [spark_id],
    );
    expect(await reasonOf(resend(spark_id))).toBe('SPARK_READ_IN_FLIGHT');
    await platform.ageLock(spark_id, '31 seconds');
    expect(await reasonOf(resend(spark_id))).toBe('none');
    expect(await invited(spark_id)).toEqual([ANN, ANN]);
  });

  it('SPK-54: answers 404 without a link that can be opened, and for one that invites nobody', async () => {
    const [unshared, open, closed] = [await create(), await create(), await create()];
    await links.share(open, {}, caller);
    await links.share(closed, { visibility: 'invite_only' }, caller);
    const [revoked, expired] = [await forAnn(), await forAnn()];
    await links.unshare(revoked.spark_id, caller);
    await platform.sql(`UPDATE sparklinks SET expires_at = now() WHERE asset_id = $1`, [expired.spark_id]);
    for (const id of [unshared, open, closed, revoked.spark_id, expired.spark_id])
      await expect(resend(id)).rejects.toMatchObject({ status: 404, reason: 'INVITE_NOT_FOUND' });
    for (const { spark_id } of [revoked, expired]) expect(await invited(spark_id)).toEqual([ANN]);
  });

  it('SPK-54 AMB-36: sends the invitation to the link that has followed a withdrawn one', async () => {
    const { spark_id } = await forAnn();
    await links.unshare(spark_id, caller);
    await share(spark_id, BEN);
    await resend(spark_id);
    const messages = await platform.sql(
      `SELECT l.status, count(*)::int AS count FROM link_messages m JOIN sparklinks l ON l.id = m.link_id
        WHERE l.asset_id = $1 GROUP BY l.status ORDER BY l.status`,
      [spark_id],
    );
    expect(messages).toEqual([
      { status: 'active', count: 2 },
      { status: 'revoked', count: 1 },
    ]);
  });

  it('SPK-54 OPEN-25: lets the invitee request codes again, in any spelling', async () => {
    const spark_id = await create();
    const { link_code } = await share(spark_id, 'Ann@example.test');
    const start = () => reasonOf(visits.start(link_code, ANN));
    for (let starts = 0; starts < 5; starts++) expect(await start()).toBe('none');
    expect(await start()).toBe('LINK_CODES_EXHAUSTED');
    await resend(spark_id);
    expect(await start()).toBe('none');
  });
});

describe('an invitation that is sent again while its Spark or link changes', () => {
  /** Holds the Spark until the call waits for it, and makes the change before the call goes on. */
  async function during(
    sparkId: string,
    change: (sql: (text: string) => Promise<unknown>) => Promise<unknown>,
  ) {
    const rival = await platform.service.context.get(Database).connect();
    try {
      await rival.query('BEGIN');
      await rival.query('SELECT 1 FROM sparks WHERE id = $1 FOR UPDATE', [sparkId]);
      const answer = reasonOf(resend(sparkId));
      await until(async () => (await lockWaiters(platform.service)) === 1);
      await change((text) => rival.query(text, [sparkId]));
      await rival.query('COMMIT');
      return await answer;
    } finally {
      rival.release(true);
    }
  }

  const CONSUMED = `status = 'consumed', consumed_at = now(), updated_at = now()`;
  it.each([
    [
      'SPARK_BURNED',
      'opened',
      `WITH burned AS (UPDATE sparks SET ${BURN} WHERE id = $1) UPDATE sparklinks SET ${CONSUMED} WHERE asset_id = $1`,
    ],
    ['SPARK_BURNED', 'read over the API', `UPDATE sparks SET ${BURN} WHERE id = $1`],
    ['SPARK_EXPIRED', 'expired', `UPDATE sparks SET expires_at = now() WHERE id = $1`],
    ['SPARK_NOT_FOUND', 'deleted', `DELETE FROM sparks WHERE id = $1`],
    [
      'INVITE_NOT_FOUND',
      'revoked',
      `UPDATE sparklinks SET status = 'revoked', revoked_at = now() WHERE asset_id = $1`,
    ],
    [
      'INVITE_NOT_FOUND',
      'expired before its Spark',
      `UPDATE sparklinks SET expires_at = now() WHERE asset_id = $1`,
    ],
  ])('SPK-54: is %s, and nothing is enqueued, when it is %s', async (reason, _, change) => {
    const { spark_id } = await forAnn();
    expect(await during(spark_id, (sql) => sql(change))).toBe(reason);
    expect(await invited(spark_id)).toEqual([ANN]);
  });

  it('SPK-54 SPK-45: goes to the identity that is invited in the place of the former one', async () => {
    const { spark_id } = await forAnn();
    expect(await during(spark_id, () => share(spark_id, BEN))).toBe('none');
    expect(await invited(spark_id)).toEqual([ANN, BEN, BEN]);
  });

  it('SPK-54 SPK-39: is sent to nobody once the link is for everybody', async () => {
    const { spark_id } = await forAnn();
    expect(await during(spark_id, () => links.share(spark_id, {}, caller))).toBe('INVITE_NOT_FOUND');
    expect(await invited(spark_id)).toEqual([ANN]);
  });
});
