import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AccountContext,
  type AppError,
  type CallInput,
  type Operation,
  type OperationSpec,
} from '@vaultsvc/contracts';
import {
  addOneTimeLink,
  deliverLink,
  drawMessages,
  inviteToShare,
  putIngotShare,
  readIngotShare,
  resendShareInvite,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { accountContext, internalContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { PurgeMessages } from './purge-messages.job.js';
import { linksOf } from '../testing/links.js';
import { messageCountsOf } from '../testing/message-counts.js';
import { startPlatform, type Platform } from '../testing/platform.js';
import { sentCodes } from '../testing/sent-codes.js';
import { visitsTo, type Visits } from '../testing/visits.js';

let platform: Platform;
let links: ReturnType<typeof linksOf>;
let counts: ReturnType<typeof messageCountsOf>;
let visits: Visits;
let owner: AccountContext;

beforeAll(async () => {
  const limits = { MAILS_PER_HOUR: '5', TEXTS_PER_HOUR: '5', OTHER_MESSAGES_PER_HOUR: '7' };
  platform = await startPlatform({ LOG_LEVEL: 'silent', ...limits });
  await stopSchedule(platform.service);
  links = linksOf(platform);
  counts = messageCountsOf(platform);
  visits = visitsTo(platform.harness);
});
beforeEach(async () => {
  owner = accountContext();
  await counts.waitPastHourEnd();
});
afterAll(() => platform.harness.stop());

const spark = async () => (await platform.create({ payload: 'x' }, owner)).spark_id;
const inviteTo = (sparkId: string, identity: string, by = owner) =>
  links.share(sparkId, { visibility: 'invite_only', invites: [identity] }, by);
const enqueuedMessages = async (by = owner) => (await links.enqueuedMessages(by.credential.accountId)).length;
const mails = (count: number) => Array.from({ length: count }, (_, i) => `guest${i}@example.test`);
const texts = (count: number) => Array.from({ length: count }, (_, i) => `+491511234567${i}`);
const outcomesOf = async (answers: readonly Promise<unknown>[]) => {
  const reasons = await Promise.all(answers.map(reasonOf));
  const times = (reason: string) => reasons.filter((one) => one === reason).length;
  return { done: times('none'), rejected: times('MESSAGES_EXHAUSTED') };
};
const refusalOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'none',
    ({ reason, details }: AppError) => ({ reason, details }),
  );
const call = <S extends OperationSpec>(op: Operation<S>, body: object) =>
  platform.harness.bus.call(op, { body } as unknown as CallInput<S>, internalContext());

/** The ids of an ingot of the account and of its links, as vaults chooses them. */
function ingotAct() {
  return {
    account_id: owner.credential.accountId,
    vault_id: newId('vlt_'),
    ingot_id: newId('ing_'),
    link_id: randomUUID(),
    actor_type: 'api_key',
    actor_id: 'key_1',
  } as const;
}
const sharedWith = async (invites: string[]) => {
  const act = ingotAct();
  return { act, share: await call(putIngotShare, { ...act, visibility: 'invite_only', invites }) };
};

describe('SPK-41 ENV-44: the hourly limit of invitations to Sparks', () => {
  it('applies across recipients: one more is rejected until the hour ends, and changes nothing', async () => {
    const id = await spark();
    for (const identity of mails(5)) await inviteTo(id, identity);
    const [before, publishedEvents] = [await links.readShare(id, owner), await links.publishedEvents(id)];
    expect(await refusalOf(inviteTo(id, 'one@more.test'))).toEqual({
      reason: 'MESSAGES_EXHAUSTED',
      details: { limit: 5, used: 5, resets_at: counts.endOfHour() },
    });
    expect(await links.readShare(id, owner)).toEqual(before);
    expect(await links.publishedEvents(id)).toEqual(publishedEvents);
    expect(await enqueuedMessages()).toBe(5);
    await counts.nextHour(owner.credential.accountId);
    expect(await inviteTo(id, 'one@more.test')).toMatchObject({ invites: ['one@more.test'] });
  });

  it('rejects a first share that sends an invitation once it is reached, but not one that sends none', async () => {
    const id = await spark();
    for (const identity of mails(5)) await inviteTo(id, identity);
    const other = await spark();
    expect(await reasonOf(inviteTo(other, 'ann@example.test'))).toBe('MESSAGES_EXHAUSTED');
    expect(await links.readShare(other, owner)).toEqual({ shared: false, spark_id: other });
    expect(await links.publishedEvents(other)).toEqual([]);
    expect(await links.share(other, {}, owner)).toMatchObject({
      visibility: 'public',
      already_shared: false,
    });
    expect(await inviteTo(id, mails(5).at(-1) as string)).toMatchObject({ already_shared: true });
  });

  it('holds under concurrency: of twenty shares with five messages left, five succeed', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, spark));
    const outcomes = await outcomesOf(ids.map((id) => inviteTo(id, 'ann@example.test')));
    expect(outcomes).toEqual({ done: 5, rejected: 15 });
    expect(await enqueuedMessages()).toBe(5);
    const { sparklinks } = await links.list({}, owner);
    expect(sparklinks).toHaveLength(5);
  });

  it('SPK-54: counts resent invitations: of twenty concurrent ones with four messages left, four are sent', async () => {
    const id = await spark();
    await inviteTo(id, 'ann@example.test');
    const outcomes = await outcomesOf(Array.from({ length: 20 }, () => links.resend(id, owner)));
    expect(outcomes).toEqual({ done: 4, rejected: 16 });
    expect(await enqueuedMessages()).toBe(5);
  });

  it('SPK-54 OPEN-25: leaves the codes of the invitee exhausted when a resent invitation is rejected', async () => {
    const id = await spark();
    const { link_code } = await inviteTo(id, 'ann@example.test');
    const start = () => reasonOf(visits.start(link_code, 'ann@example.test'));
    for (let starts = 0; starts < 4; starts++) expect(await start()).toBe('none');
    expect(await refusalOf(links.resend(id, owner))).toEqual({
      reason: 'MESSAGES_EXHAUSTED',
      details: { limit: 5, used: 5, resets_at: counts.endOfHour() },
    });
    await counts.nextHour(owner.credential.accountId);
    expect([await start(), await start()]).toEqual(['none', 'LINK_CODES_EXHAUSTED']);
  });

  it('counts e-mails and text messages separately, and per account', async () => {
    const id = await spark();
    for (const identity of [...mails(5), ...texts(5)]) await inviteTo(id, identity);
    for (const identity of ['one@more.test', '+4915199999999'])
      expect(await reasonOf(inviteTo(id, identity))).toBe('MESSAGES_EXHAUSTED');
    const other = accountContext();
    const { spark_id } = await platform.create({ payload: 'y' }, other);
    await inviteTo(spark_id, 'ann@example.test', other);
    expect([await enqueuedMessages(), await enqueuedMessages(other)]).toEqual([10, 1]);
  });
});

describe('SHR-11: the hourly limit of invitations to files', () => {
  it('accepts or rejects the invites of a call together', async () => {
    const act = { ...ingotAct(), visibility: 'invite_only' };
    const tooMany = [...mails(3), ...texts(6)];
    expect(await reasonOf(call(putIngotShare, { ...act, invites: tooMany }))).toBe('MESSAGES_EXHAUSTED');
    expect(await reasonOf(call(readIngotShare, act))).toBe('LINK_NOT_FOUND');
    const { invites } = await call(putIngotShare, { ...act, invites: [...mails(5), ...texts(5)] });
    expect(invites).toHaveLength(10);
    expect(await enqueuedMessages()).toBe(10);
  });

  it('rejects one more invite and leaves the share unchanged', async () => {
    const { act, share } = await sharedWith(mails(5));
    expect(await refusalOf(call(inviteToShare, { ...act, identity: 'one@more.test' }))).toEqual({
      reason: 'MESSAGES_EXHAUSTED',
      details: { limit: 5, used: 5, resets_at: counts.endOfHour() },
    });
    const others = { ...act, invites: ['one@more.test'] };
    expect(await reasonOf(call(putIngotShare, others))).toBe('MESSAGES_EXHAUSTED');
    expect(await call(readIngotShare, act)).toEqual(share);
    await counts.nextHour(owner.credential.accountId);
    await call(inviteToShare, { ...act, identity: 'one@more.test' });
    expect((await call(readIngotShare, act)).invites).toHaveLength(6);
  });

  it('counts resent invitations: of twenty concurrent ones with four messages left, four are sent', async () => {
    const { act, share } = await sharedWith(mails(1));
    const again = { ...act, invite_id: share.invites[0]?.invite_id };
    const outcomes = await outcomesOf(Array.from({ length: 20 }, () => call(resendShareInvite, again)));
    expect(outcomes).toEqual({ done: 4, rejected: 16 });
    expect(await enqueuedMessages()).toBe(5);
  });
});

describe('SHR-14: the hourly limit of deliveries', () => {
  it('holds under concurrency: of twenty deliveries with five messages left, five are sent', async () => {
    const link = { ...ingotAct(), link_code: mintLinkCode() };
    await call(addOneTimeLink, { ...link, expires_at: Math.floor(Date.now() / 1_000) + 600 });
    const to = (identity: string) => call(deliverLink, { ...link, identity });
    const outcomes = await outcomesOf(Array.from({ length: 20 }, (_, i) => to(`+4915112345${100 + i}`)));
    expect(outcomes).toEqual({ done: 5, rejected: 15 });
    expect(await enqueuedMessages()).toBe(5);
    expect(await reasonOf(to('ann@example.test'))).toBe('none');
  });
});

describe('OPEN-25: the hourly limit of one-time codes', () => {
  const forAnybody = async () => {
    const id = await spark();
    return (await links.share(id, { visibility: 'authenticated' }, owner)).link_code;
  };

  it('applies across all links of the account', async () => {
    const codes = await Promise.all(Array.from({ length: 4 }, forAnybody));
    const starts = codes.flatMap((code) => texts(5).map((identity) => visits.start(code, identity)));
    expect(await outcomesOf(starts)).toEqual({ done: 5, rejected: 15 });
    expect(await enqueuedMessages()).toBe(5);
  });

  /** A link for Ann, and as many other invitations as the limit allows. */
  const forAnnAtTheLimit = async () => {
    const [id, other] = [await spark(), await spark()];
    const { link_code } = await inviteTo(id, 'ann@example.test');
    for (const identity of mails(4)) await inviteTo(other, identity);
    return { id, link_code };
  };

  it('rejects uninvited identities alike without counting them, so that no error reveals the invites', async () => {
    const { id, link_code } = await forAnnAtTheLimit();
    const refusals = [
      await refusalOf(visits.start(link_code, 'ann@example.test')),
      await refusalOf(visits.start(link_code, 'eve@example.test')),
    ];
    expect(refusals).toEqual(
      Array(2).fill({
        reason: 'MESSAGES_EXHAUSTED',
        details: { limit: 5, used: 5, resets_at: counts.endOfHour() },
      }),
    );
    expect(await sentCodes(platform, id)).toEqual([]);
    await counts.nextHour(owner.credential.accountId);
    for (const identity of mails(5)) await visits.start(link_code, identity);
    expect(await reasonOf(visits.start(link_code, 'ann@example.test'))).toBe('none');
  });

  it('is that of the channel for uninvited identities, too: text messages use up no mails', async () => {
    const [id, other] = [await spark(), await spark()];
    const { link_code } = await inviteTo(id, 'ann@example.test');
    for (const identity of texts(5)) await inviteTo(other, identity);
    expect(await reasonOf(visits.start(link_code, 'eve@example.test'))).toBe('none');
    expect(await reasonOf(visits.start(link_code, '+4915199999999'))).toBe('MESSAGES_EXHAUSTED');
  });

  it('does not count a rejected code towards the limit of its identity', async () => {
    const { id, link_code } = await forAnnAtTheLimit();
    const start = () => reasonOf(visits.start(link_code, 'ann@example.test'));
    for (let i = 0; i < 6; i++) expect(await start()).toBe('MESSAGES_EXHAUSTED');
    await counts.nextHour(owner.credential.accountId);
    for (let i = 0; i < 5; i++) expect(await start()).toBe('none');
    expect(await start()).toBe('LINK_CODES_EXHAUSTED');
    expect(await sentCodes(platform, id)).toHaveLength(5);
  });
});

describe('OPEN-32: the messages of a send', () => {
  const draw = (mails: number, texts = 0, others = 0) =>
    call(drawMessages, { account_id: owner.credential.accountId, mails, texts, others });
  const exhausted = (limit: number, used: number) => ({
    reason: 'MESSAGES_EXHAUSTED',
    details: { limit, used, resets_at: counts.endOfHour() },
  });

  it('share the budgets of links, each of its kind', async () => {
    const id = await spark();
    await inviteTo(id, 'ann@example.test');
    await draw(4, 5, 7);
    expect(await refusalOf(inviteTo(id, 'one@more.test'))).toEqual(exhausted(5, 5));
    expect(await refusalOf(draw(1))).toEqual(exhausted(5, 5));
    expect(await refusalOf(draw(0, 1))).toEqual(exhausted(5, 5));
    expect(await refusalOf(draw(0, 0, 1))).toEqual(exhausted(7, 7));
    await counts.nextHour(owner.credential.accountId);
    expect(await reasonOf(draw(5, 5, 7))).toBe('none');
  });

  it('that do not fit are refused whole, with what is used', async () => {
    await draw(3);
    expect(await refusalOf(draw(3))).toEqual(exhausted(5, 3));
    expect(await refusalOf(draw(2, 6))).toEqual(exhausted(5, 0));
    expect(await refusalOf(draw(2, 5, 8))).toEqual(exhausted(7, 0));
    expect(await reasonOf(draw(2, 5, 7))).toBe('none');
  });

  it('of twenty concurrent sends with five mails left are drawn five times', async () => {
    expect(await outcomesOf(Array.from({ length: 20 }, () => draw(1)))).toEqual({ done: 5, rejected: 15 });
  });
});

describe('the message counts', () => {
  const kept = () =>
    platform.sql(`SELECT channel, count FROM message_counts WHERE account_id = $1 ORDER BY hour DESC`, [
      owner.credential.accountId,
    ]);

  it('MISC-03: are deleted once their hour is over, and not before', async () => {
    const id = await spark();
    for (const identity of mails(5)) await inviteTo(id, identity);
    const job = platform.service.context.get(PurgeMessages);
    await job.run();
    expect(await kept()).toEqual([{ channel: 'email', count: 5 }]);
    expect(await reasonOf(inviteTo(id, 'one@more.test'))).toBe('MESSAGES_EXHAUSTED');
    await platform.sql(`UPDATE message_counts SET hour = hour - interval '2 hours' WHERE account_id = $1`, [
      owner.credential.accountId,
    ]);
    await job.run();
    expect(await kept()).toEqual([]);
  });
});
