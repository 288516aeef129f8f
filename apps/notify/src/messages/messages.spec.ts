import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { timed } from '@vaultsvc/testing/waiting';
import { notify } from '../service-definition.js';
import type { QueueChannel } from './configured-channels.js';
import { DueMessageRepository, priorities, type MessageClass } from './due-message.repository.js';
import { MessageRepository, type ClaimedMessage, type NewMessage } from './message.repository.js';

const ofMail: MessageClass = { channel: 'email', priority: priorities.personal };
const ofMailedCodes: MessageClass = { channel: 'email', priority: priorities.code };
const ofTexts: MessageClass = { channel: 'phone', priority: priorities.personal };
const ofTextedCodes: MessageClass = { channel: 'phone', priority: priorities.code };

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService; // no channel is configured: nothing is sent
let messages: MessageRepository;
let due: DueMessageRepository;
beforeAll(async () => {
  service = await harness.start(notify);
  messages = service.context.get(MessageRepository);
  due = service.context.get(DueMessageRepository);
});
beforeEach(() => rowsOf(service, 'DELETE FROM messages'));

/** Adds one; it has waited for so many seconds. */
async function owe(kind: NewMessage['kind'], channel: NewMessage['channel'] = 'email', waitedSeconds = 0) {
  const ids = { id: randomUUID(), subjectId: newId('usr_'), accountId: newId('acc_'), requestId: null };
  await service.context.get(Database).transaction((tx) => messages.add(tx, [{ ...ids, kind, channel }]));
  const since = `next_attempt_at = now() - $2 * interval '1 second'`;
  await rowsOf(service, `UPDATE messages SET ${since} WHERE id = $1`, [ids.id, waitedSeconds]);
  return ids.id;
}

/** Claims the oldest message of the next account. */
async function claimNext(messageClass: MessageClass): Promise<ClaimedMessage | undefined> {
  const search = await due.searchAccount(messageClass, '', []);
  return search && due.claim(messageClass, [search.accountId]);
}

async function claimAll(messageClass: MessageClass): Promise<string[]> {
  const message = await claimNext(messageClass);
  return message ? [message.id, ...(await claimAll(messageClass))] : [];
}

const claimed = async (messageClass: MessageClass) => (await claimNext(messageClass)) as ClaimedMessage;

/** When it is tried again, in epoch seconds. */
async function nextOf({ id }: ClaimedMessage): Promise<number> {
  const text = 'SELECT extract(epoch FROM next_attempt_at)::float8 AS seconds FROM messages WHERE id = $1';
  const [row] = await rowsOf<{ seconds: number }>(service, text, [id]);
  return row?.seconds ?? 0;
}

describe('the next due message of a channel', () => {
  const isDueIn = (channel: QueueChannel) => due.nextDueMs(channel);

  it('is the first that is not due yet, of any kind, and an empty queue causes no polling', async () => {
    expect(await isDueIn('email')).toBeUndefined();
    await owe('invitation');
    expect(await isDueIn('email')).toBeUndefined();
    await owe('link_code', 'email', -20);
    await owe('invitation', 'email', -10);
    const ms = await isDueIn('email');
    expect(ms).toBeGreaterThan(5_000);
    expect(ms).toBeLessThanOrEqual(10_000);
    expect(await isDueIn('phone')).toBeUndefined();
  });
});

describe('NTF-30: a message in the queue', () => {
  it('is claimed when it is due', async () => {
    await owe('invitation', 'email', -60);
    const [row] = await rowsOf<{ account: string }>(service, 'SELECT account_id AS account FROM messages');
    expect(await due.claim(ofMail, [row?.account ?? ''])).toBeUndefined();
    await rowsOf(service, 'UPDATE messages SET next_attempt_at = now()');
    expect(await due.claim(ofMail, [row?.account ?? ''])).toMatchObject({ account_id: row?.account });
  });

  it('is not found for an account that the search excepts, but those after it are', async () => {
    for (let i = 0; i < 2; i++) await owe('invitation');
    const text = 'SELECT account_id AS account FROM messages ORDER BY account_id';
    const [first, second] = (await rowsOf<{ account: string }>(service, text)).map(({ account }) => account);
    const found = await due.searchAccount(ofMail, '', [first ?? '']);
    expect(found).toEqual({ accountId: second, isFound: true });
  });

  it('is decided by the attempt that has its lease, and once', async () => {
    await owe('invitation');
    const state = () =>
      rowsOf(service, 'SELECT attempts, outcome, last_error, next_attempt_at FROM messages');
    const former = await claimed(ofMail);
    await rowsOf(service, 'UPDATE messages SET next_attempt_at = now()');
    const attempt = await claimed(ofMail);
    const leased = await state();
    await messages.postpone(former, 600);
    expect(await messages.reschedule(former, 'ECONNREFUSED', false)).toBeNull();
    expect(await state()).toEqual(leased);
    await messages.close(attempt, 'sent');
    const closed = await state();
    expect(closed).toMatchObject([{ attempts: 2, outcome: 'sent', last_error: null }]);
    await messages.postpone(attempt, 600);
    expect(await messages.reschedule(attempt, 'ECONNREFUSED', false)).toBeNull();
    await messages.close(former, 'refused', 'HTTP 410');
    expect(await state()).toEqual(closed);
  });
});

describe('OPEN-25: codes', () => {
  it('are a class of their own in each channel', async () => {
    const others = [await owe('link_invitation', 'email', 300), await owe('link_delivery', 'email', 200)];
    const [mailed, texted] = [await owe('link_code'), await owe('link_code', 'phone')];
    expect(await claimAll(ofMailedCodes)).toEqual([mailed]);
    expect(await claimAll(ofTextedCodes)).toEqual([texted]);
    expect((await claimAll(ofMail)).sort()).toEqual(others.sort());
  });

  it('are retried within 15 seconds, for 15 minutes', async () => {
    await owe('link_code', 'phone');
    for (const wait of [5, 10, 15, 15]) {
      const code = await claimed(ofTextedCodes);
      const { result, from, to } = await timed(() => messages.reschedule(code, 'ECONNREFUSED', false));
      expect(result).toBeNull();
      const next = await nextOf(code);
      expect(next).toBeGreaterThanOrEqual(from + wait);
      expect(next).toBeLessThan(to + 1 + wait);
      await rowsOf(service, 'UPDATE messages SET next_attempt_at = now()');
    }
    await rowsOf(service, `UPDATE messages SET first_tried_at = now() - interval '15 minutes 1 second'`);
    expect(await messages.reschedule(await claimed(ofTextedCodes), 'ECONNREFUSED', false)).toBe('expired');
  });
});

describe('SHR-14: a text message whose reply was lost', () => {
  it('is sent three times at most, however often it was rescheduled for other reasons', async () => {
    await owe('link_delivery', 'phone');
    const outcomes: unknown[] = [];
    for (const isAnswerLost of [true, false, false, true, false, true]) {
      outcomes.push(await messages.reschedule(await claimed(ofTexts), 'TIMEOUT', isAnswerLost));
      await rowsOf(service, 'UPDATE messages SET next_attempt_at = now()');
    }
    expect(outcomes).toEqual([null, null, null, null, null, 'unconfirmed']);
    expect(await claimAll(ofTexts)).toEqual([]);
  });
});

describe('MISC-01: during a rolling upgrade', () => {
  it('an instance of the previous release sends invitations, and sees no other messages', async () => {
    await owe('link_code');
    const id = randomUUID();
    await rowsOf(
      service,
      `INSERT INTO mails (id, kind, subject_id, account_id) VALUES ($1, 'invitation', 'usr', 'acc') ON CONFLICT DO NOTHING`,
      [id],
    );
    const found = await rowsOf(
      service,
      `UPDATE mails SET attempts = attempts + 1
        WHERE id = (SELECT id FROM mails WHERE closed_at IS NULL ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id`,
    );
    expect(found).toEqual([{ id }]);
    expect(await rowsOf(service, 'SELECT id FROM mails')).toEqual([{ id }]);
    expect((await claimed(ofMailedCodes)).kind).toBe('link_code');
    expect(await claimed(ofMail)).toMatchObject({ id, channel: 'email', attempts: 2 });
  });
});
