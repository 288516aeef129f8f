import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountContext, type AppError } from '@vaultsvc/contracts';
import { NewPlaintextSend, NotifyContent, sendPlaintext, type NewSend } from '@vaultsvc/contracts/notify';
import {
  accountContext,
  internalContext,
  outboxEvents,
  reasonOf,
  rowsOf,
  stopSchedule,
} from '@vaultsvc/testing/harness';
import { useSendPlatform } from '../testing/send-platform.js';

const platform = useSendPlatform();
let caller: AccountContext;
beforeAll(() => stopSchedule(platform.notify));
beforeEach(async () => {
  caller = await platform.newCaller();
});

const withPools = (pools: AccountContext['pools']) =>
  accountContext(caller.credential, { requestId: caller.requestId, pools });
const refusalOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'none',
    ({ reason, details }: AppError) => ({ reason, details }),
  );
/** Nothing of a refused send exists, nor is anything owed. */
async function expectNothing(): Promise<void> {
  const { accountId } = caller.credential;
  const ofAccount = { account_id: accountId };
  expect(await platform.sql(`SELECT 1 FROM sends WHERE account_id = $1`, [accountId])).toEqual([]);
  expect(await rowsOf(platform.sparks, `SELECT 1 FROM sparks WHERE account_id = $1`, [accountId])).toEqual(
    [],
  );
  expect(await outboxEvents(platform.notify, ofAccount)).toEqual([]);
  expect(await outboxEvents(platform.sparks, ofAccount)).toEqual([]);
}

describe('OPEN-03 OPEN-32: a send', () => {
  it.each<[string, AccountContext['pools'], object]>([
    ['without a plan', { plan: 'none', exhausted: [] }, { reason: 'PLAN_REQUIRED' }],
    [
      'with full storage',
      { plan: 'active', exhausted: ['storage'] },
      {
        reason: 'QUOTA_EXCEEDED',
        details: { resource: 'storage', action_required: 'add_storage_block' },
      },
    ],
    [
      'with exhausted bandwidth',
      { plan: 'active', exhausted: ['bandwidth'] },
      {
        reason: 'QUOTA_EXCEEDED',
        details: { resource: 'bandwidth', action_required: 'add_bandwidth_block' },
      },
    ],
  ])('%s is refused with 402 before anything is sealed', async (_, pools, refusal) => {
    expect(await refusalOf(platform.send({}, withPools(pools)))).toMatchObject(refusal);
    await expectNothing();
  });

  it('of an ingot needs a plan, and draws no storage', async () => {
    const ingot = { ingot_id: 'ing_x', vault_id: 'vlt_x' };
    const send = (pools: AccountContext['pools']) =>
      reasonOf(platform.send({ content: null, ingot }, withPools(pools)));
    expect(await send({ plan: 'none', exhausted: [] })).toBe('PLAN_REQUIRED');
    // The call goes on: this context has no token of the vault.
    expect(await send({ plan: 'active', exhausted: ['storage'] })).toBe('INTERNAL_ERROR');
  });

  it('NTF-21: that is repeated answers the existing one, without a plan and with spent budgets', async () => {
    const { send_id } = await platform.send({ recipients: ['a', 'b'] }, caller);
    await useUp('other', 50_000);
    const ended = withPools({ plan: 'none', exhausted: ['storage', 'bandwidth'] });
    expect(await platform.send({ send_id }, ended)).toEqual({
      send_id,
      recipients: 2,
      status: 'pending',
      idempotent: true,
    });
  });

  it('AMB-13: that is malformed is 400 also without a plan', async () => {
    const ended = withPools({ plan: 'none', exhausted: [] });
    expect(await reasonOf(platform.send({ content: null }, ended))).toBe('VALIDATION_ERROR');
  });
});

/** Sets how many messages the account has sent in this hour, and in the next one, which may begin meanwhile. */
const useUp = (channel: 'email' | 'phone' | 'other', count: number) =>
  rowsOf(
    platform.sparks,
    `INSERT INTO message_counts (hour, account_id, channel, count)
     SELECT date_trunc('hour', now(), 'UTC') + n * interval '1 hour', $1, $2, $3 FROM generate_series(0, 1) AS n
     ON CONFLICT (hour, account_id, channel) DO UPDATE SET count = excluded.count`,
    [caller.credential.accountId, channel, count],
  );
const people = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);
const inApp = (recipients: string[], changes: Partial<NewSend> = {}) =>
  platform.send({ recipients, channels: ['in_app'], ...changes }, caller);

describe('OPEN-32: the hourly budget of an account', () => {
  it('is 50,000 messages of channels such as in_app; a send that does not fit is refused whole', async () => {
    await useUp('other', 49_998);
    const refusal = await refusalOf(inApp(people(3)));
    expect(refusal).toMatchObject({
      reason: 'MESSAGES_EXHAUSTED',
      details: { limit: 50_000, used: 49_998, resets_at: expect.any(Number) },
    });
    const { resets_at } = (refusal as unknown as { details: { resets_at: number } }).details;
    expect([resets_at % 3_600, resets_at * 1_000 > Date.now()]).toEqual([0, true]);
    await expectNothing();
    expect(await inApp(people(2))).toMatchObject({ idempotent: false });
    expect(await reasonOf(inApp(people(1)))).toBe('MESSAGES_EXHAUSTED');
  });

  it('counts later steps, whether they will be needed or not', async () => {
    await useUp('other', 49_997);
    const steps = { channels: ['in_app', 'websocket'] as const, escalation: { delays: [0, 3_600] } };
    expect(await reasonOf(inApp(people(2), steps as never))).toBe('MESSAGES_EXHAUSTED');
    expect(await reasonOf(inApp(people(1), steps as never))).toBe('none');
  });

  it('does not count channels without credentials', async () => {
    await useUp('email', 5_000);
    await useUp('phone', 1_000);
    const channels = ['in_app', 'email', 'sms', 'voice', 'whatsapp', 'rcs'] as const;
    const recipients = [{ email: 'ada@example.com', phone: '+4915112345678' }];
    expect(await reasonOf(platform.send({ recipients, channels } as never, caller))).toBe('none');
  });

  it('is free again for a send_id whose send was refused', async () => {
    const send_id = `refused-${randomUUID()}`;
    await useUp('other', 50_000);
    expect(await reasonOf(inApp(people(1), { send_id }))).toBe('MESSAGES_EXHAUSTED');
    await useUp('other', 1);
    expect(await inApp(people(1), { send_id })).toMatchObject({ send_id, idempotent: false });
  });

  it('counts a send once, however many calls race for it', async () => {
    await useUp('other', 1);
    const send_id = `race-${randomUUID()}`;
    await Promise.all(Array.from({ length: 6 }, () => inApp(people(3), { send_id })));
    const rows = await rowsOf<{ count: number }>(
      platform.sparks,
      `SELECT count FROM message_counts WHERE account_id = $1 AND channel = 'other' ORDER BY hour`,
      [caller.credential.accountId],
    );
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(1 + 1 + 3);
  });
});

describe('OPEN-32: a send with a mail server', () => {
  const mails = useSendPlatform({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@example.com',
    SIGN_IN_URL: 'http://127.0.0.1:8084/signin',
  });
  const count = (account: AccountContext, used: number) =>
    rowsOf(
      mails.sparks,
      `INSERT INTO message_counts (hour, account_id, channel, count)
       SELECT date_trunc('hour', now(), 'UTC') + n * interval '1 hour', $1, 'email', $2 FROM generate_series(0, 1) AS n`,
      [account.credential.accountId, used],
    );

  it('draws 5,000 mails an hour, for content in clear, too', async () => {
    await stopSchedule(mails.notify);
    const own = await mails.newCaller();
    await count(own, 4_999);
    const content = Object.assign(new NotifyContent(), { payload: 'x' });
    const mail = { channels: ['email'] as const, content };
    const two = { ...mail, recipients: ['ada@example.com', 'bob@example.com'] };
    expect(await refusalOf(mails.send(two as never, own))).toMatchObject({
      reason: 'MESSAGES_EXHAUSTED',
      details: { limit: 5_000, used: 4_999 },
    });
    const byId = { ...mail, recipients: ['ada@example.com', 'without-address'] };
    expect(await reasonOf(mails.send(byId as never, own))).toBe('none');
    const body = Object.assign(new NewPlaintextSend(), {
      account_id: own.credential.accountId,
      recipients: ['ada@example.com'],
      content: { payload: 'x', content_type: 'text/plain' },
      title: 'Maintenance',
    });
    const plain = mails.harness.bus.call(sendPlaintext, { body }, internalContext());
    expect(await reasonOf(plain)).toBe('MESSAGES_EXHAUSTED');
  });
});
