import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext, Delivery, VisitContext } from '@vaultsvc/contracts';
import {
  NotifyConfiguration,
  putConfig,
  putPreferences,
  type DeliveryReport,
  type NewSend,
  type PreferenceChanges,
  type QuietHours,
} from '@vaultsvc/contracts/notify';
import { openLink, type GrantReveal } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { deadlineIn } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { MessageWaker } from '../messages/message-waker.js';
import { quietSeconds } from '../recipients/preference.repository.js';
import { useSendPlatform } from '../testing/send-platform.js';
import { OnGrantsRevealed } from './on-grants-revealed.consumer.js';

const platform = useSendPlatform();
let caller: AccountContext;
beforeAll(async () => {
  caller = await platform.newCaller();
});

const ladder: Partial<NewSend> = { channels: ['in_app', 'websocket'], escalation: { delays: [0, 3_600] } };

const deliveriesOf = async (sendId: string): Promise<DeliveryReport[]> =>
  (await platform.report(sendId, caller)).recipient_states[0]?.deliveries ?? [];

const statesOf = async (sendId: string) => (await deliveriesOf(sendId)).map(({ state }) => state);

const reach = (sendId: string, states: string[]) =>
  eventually(
    () => statesOf(sendId),
    (now) => now.join() === states.join(),
  );

/** Makes the later steps of a send due, as if their delay had passed, and waits until they are decided. */
async function letDelaysPass(sendId: string): Promise<void> {
  await platform.sql(
    `UPDATE messages m SET next_attempt_at = now() FROM recipients r, sends s
      WHERE r.id = m.recipient AND s.id = r.send AND s.send_id = $1 AND m.closed_at IS NULL`,
    [sendId],
  );
  platform.notify.context.get(MessageWaker).wake();
}

async function open(sendId: string): Promise<void> {
  const { recipient_states } = await platform.report(sendId, caller);
  const link_code = recipient_states[0]?.link_url?.split('/').at(-1) as string;
  const context: VisitContext = {
    requestId: caller.requestId,
    credential: { kind: 'none' },
    clientIp: '203.0.113.9',
    deadlineMs: deadlineIn(60),
    visit: { domain: 'link', userAgent: null },
  };
  const body = { describe: false, confirmed: true };
  await platform.harness.bus.call(openLink, { params: { link_code }, body }, context);
}

describe('NTF-15 NTF-16: an escalation', () => {
  it('sends a later step to a recipient who has not opened', async () => {
    const { send_id } = await platform.send(ladder, caller);
    await reach(send_id, ['sent', 'scheduled']);
    await letDelaysPass(send_id);
    await reach(send_id, ['sent', 'sent']);
  });

  it('ends for a recipient who has opened', async () => {
    const { send_id } = await platform.send(ladder, caller);
    await reach(send_id, ['sent', 'scheduled']);
    await open(send_id);
    await reach(send_id, ['sent', 'skipped']);
    const [, later] = await deliveriesOf(send_id);
    expect(later).toMatchObject({ channel: 'websocket', reason: 'SEEN', attempts: 0 });
    expect((await platform.report(send_id, caller)).seen).toBe(1);
  });

  it('leaves the first step and what was sent as they are once the recipient has opened', async () => {
    const { send_id } = await platform.send(ladder, caller);
    await reach(send_id, ['sent', 'scheduled']);
    await letDelaysPass(send_id);
    await reach(send_id, ['sent', 'sent']);
    // As if the provider of the first step had not answered.
    await platform.sql(
      `UPDATE messages m SET outcome = NULL, closed_at = NULL, next_attempt_at = now() + interval '1 hour'
         FROM recipients r, sends s WHERE r.id = m.recipient AND s.id = r.send AND s.send_id = $1 AND m.step = 0`,
      [send_id],
    );
    await open(send_id);
    await eventually(
      () => platform.report(send_id, caller),
      ({ seen }) => seen === 1,
    );
    expect(await statesOf(send_id)).toEqual(['queued', 'sent']);
  });

  it('consists of the primary channel alone when the configuration switches it off', async () => {
    const other = await platform.newCaller();
    const off = { escalation_enabled: false, escalation_delays: [0] };
    const body = Object.assign(new NotifyConfiguration(), { delivery: off });
    await platform.harness.bus.call(putConfig, { body }, other);
    const { send_id } = await platform.send(ladder, other);
    expect((await platform.report(send_id, other)).recipient_states[0]?.deliveries).toHaveLength(1);
  });
});

describe('NTF-15 NTF-38: the time at which a recipient has opened', () => {
  it('is the first that is reported', async () => {
    const { send_id } = await platform.send({}, caller);
    const [recipient] = await platform.sql<{ link_id: string }>(
      `SELECT link_id FROM recipients r JOIN sends s ON s.id = r.send WHERE s.send_id = $1`,
      [send_id],
    );
    const { context } = platform.notify;
    const reveal = (revealed_at: number) => {
      const delivery = { payload: { ...recipient, revealed_at } } as Delivery<GrantReveal>;
      return context.get(Database).transaction((tx) => context.get(OnGrantsRevealed).apply([delivery], tx));
    };
    await reveal(1_700_000_000);
    await reveal(1_700_000_600);
    const { recipient_states } = await platform.report(send_id, caller);
    expect(recipient_states).toMatchObject([{ seen_at: 1_700_000_000 }]);
  });
});

/** Quiet hours that contain this moment; they may pass midnight. */
function quietNow(): QuietHours {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  return { from: at(-2), to: at(2), time_zone: 'UTC' };
}

const prefer = (recipient_id: string, body: PreferenceChanges) =>
  platform.harness.bus.call(putPreferences, { params: { recipient_id }, body }, caller);

describe('NTF-35: the preferences of a recipient', () => {
  it('quiet hours postpone a later step to their end, not the first one, and none of another recipient', async () => {
    await prefer('sleeper', { quiet_hours: quietNow() });
    const { send_id } = await platform.send({ ...ladder, recipients: ['sleeper'] }, caller);
    await reach(send_id, ['sent', 'scheduled']);
    await letDelaysPass(send_id);
    const inHours = ({ due_at }: DeliveryReport) => ((due_at ?? 0) * 1_000 - Date.now()) / 3_600_000;
    const [, later] = await eventually(
      () => deliveriesOf(send_id),
      ([, one]) => one !== undefined && inHours(one) > 1,
    );
    expect(later).toMatchObject({ attempts: 0, state: 'scheduled' });
    expect(inHours(later as DeliveryReport)).toBeLessThan(2.1);
    const other = await platform.send({ ...ladder, recipients: ['early-bird'] }, caller);
    await reach(other.send_id, ['sent', 'scheduled']);
    await letDelaysPass(other.send_id);
    await reach(other.send_id, ['sent', 'sent']);
  });

  it.each([
    ['Europe/Berlin', '22:00', '07:00', 'at noon', '2026-03-28T11:00Z', 0],
    ['Europe/Berlin', '22:00', '07:00', 'in the night that loses an hour', '2026-03-28T22:00Z', 7],
    ['Europe/Berlin', '22:00', '07:00', 'in the night that repeats an hour', '2026-10-24T21:00Z', 9],
    ['Europe/Berlin', '22:00', '07:00', 'in the hour that occurs twice', '2026-10-25T01:30Z', 4.5],
    ['Europe/Berlin', '12:00', '14:00', 'by day, not past midnight', '2026-03-29T11:00Z', 1],
    [
      'Australia/Lord_Howe',
      '22:00',
      '07:00',
      'in the night that repeats half an hour',
      '2026-04-04T12:00Z',
      8.5,
    ],
    [
      'Australia/Lord_Howe',
      '22:00',
      '07:00',
      'in the night that loses half an hour',
      '2026-10-03T12:30Z',
      7.5,
    ],
  ])(
    'in %s, quiet hours from %s end at %s o’clock there, also %s',
    async (time_zone, from, to, _, now, hours) => {
      await prefer('traveller', { quiet_hours: { from, to, time_zone } });
      const [row] = await platform.sql<{ seconds: number }>(
        `SELECT ${quietSeconds(`timestamptz '${now}'`)} AS seconds FROM quiet_hours WHERE account_id = $1 AND directory_key = $2`,
        [caller.credential.accountId, 'id:traveller'],
      );
      expect(row).toEqual({ seconds: hours * 3_600 });
    },
  );

  it.each(['security', 'Security', 'SECURE'])('quiet hours do not postpone %s', async (category) => {
    await prefer('guard', { quiet_hours: quietNow() });
    const { send_id } = await platform.send({ ...ladder, recipients: ['guard'], category }, caller);
    await reach(send_id, ['sent', 'scheduled']);
    await letDelaysPass(send_id);
    await reach(send_id, ['sent', 'sent']);
  });

  it('a channel that is switched off is skipped, for its category alone', async () => {
    await prefer('reader', { categories_off: [{ channel: 'in_app', category: 'news' }] });
    const sendOf = async (category: string) =>
      (await platform.send({ recipients: ['reader'], category }, caller)).send_id;
    const [news, bills] = [await sendOf('news'), await sendOf('bills')];
    await reach(news, ['skipped']);
    expect((await deliveriesOf(news))[0]).toMatchObject({ reason: 'OPTED_OUT' });
    await reach(bills, ['sent']);
  });
});
