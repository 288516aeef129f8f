import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { actorOf, type AccountContext } from '@vaultsvc/contracts';
import {
  grantsRecalled,
  NotifyContent,
  NotifyPolicy,
  readConversation,
  replayDelivery,
  type SendReport,
} from '@vaultsvc/contracts/notify';
import { resolveGrants } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { internalContext, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { newSend } from '../testing/new-send.js';
import { useSendPlatform } from '../testing/send-platform.js';
import { AbandonExpiredSends } from './abandon-expired-sends.job.js';
import { PurgeSends } from './purge-sends.job.js';
import { SendNotification } from './send-notification.handler.js';
import { SendRepository } from './send.repository.js';

const platform = useSendPlatform();
let caller: AccountContext;
beforeAll(async () => {
  await stopSchedule(platform.notify);
  caller = await platform.newCaller();
});

const settled = (sendId: string): Promise<SendReport> =>
  eventually(
    () => platform.report(sendId, caller),
    ({ status }) => status !== 'pending' && status !== 'delivering',
  );

const recipients = ['ada@example.com', 'bob@example.com', '+4915112345678'];

describe('NTF-20 NTF-21: a send id', () => {
  it('is accepted once, however many calls race for it, and the grants of the others do not exist', async () => {
    const send_id = `race-${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => platform.send({ send_id, recipients }, caller)),
    );
    expect(answers.filter(({ idempotent }) => !idempotent)).toHaveLength(1);
    for (const answer of answers) expect(answer).toMatchObject({ send_id, recipients: 3, status: 'pending' });
    const links = await platform.sql<{ link_id: string }>(
      `SELECT link_id FROM recipients r JOIN sends s ON s.id = r.send WHERE s.send_id = $1`,
      [send_id],
    );
    const held = await heldGrants(links.map(({ link_id }) => link_id));
    expect(held).toEqual(['active', 'active', 'active']);
  });

  it('answers a repeat with the first send, whatever the body, and leaves it as it is', async () => {
    const { send_id } = await platform.send({ recipients, title: 'First' }, caller);
    const before = await settled(send_id);
    const again = await platform.send({ send_id, recipients: ['eve@example.com'], title: 'Second' }, caller);
    expect(again).toEqual({ send_id, recipients: 3, status: 'pending', idempotent: true });
    expect(await platform.report(send_id, caller)).toEqual(before);
  });

  it('OPEN-28: is in one event for the audit log, without title, content and addresses', async () => {
    const actor = { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' } as const;
    const app = { ...caller, credential: { ...caller.credential, actor } };
    const { send_id } = await platform.send({ recipients, title: 'First', channels: ['email'] }, app);
    await platform.send({ send_id, recipients }, app);
    const events = await outboxEvents(platform.notify, { send_id }, { name: 'notify.send-accepted' });
    const { accountId, credentialId, userId } = caller.credential;
    expect(events).toEqual([
      {
        name: 'notify.send-accepted',
        account_id: accountId,
        request_id: caller.requestId,
        payload: {
          account_id: accountId,
          send_id,
          channels: ['email'],
          recipient_count: 3,
          actor_type: caller.credential.kind,
          actor_id: userId ?? credentialId,
          actor,
        },
      },
    ]);
  });

  it('is of its account: another account sends under the same id', async () => {
    const { send_id } = await platform.send({}, caller);
    const other = await platform.newCaller();
    expect(await platform.send({ send_id }, other)).toMatchObject({ send_id, idempotent: false });
  });
});

describe('OPEN-64: a send at level passkey by mail', () => {
  const policy = Object.assign(new NotifyPolicy(), { verification_level: 'passkey' });
  const send = (recipient: object) =>
    reasonOf(platform.send({ policy, channels: ['email'], recipients: [recipient] }, caller));

  it('needs a phone for the code that enrolls, unless the recipient has enrolled before', async () => {
    expect(await send({ email: 'ada@example.com' })).toBe('VALIDATION_ERROR');
    expect(await send({ email: 'ada@example.com', phone: '+4915112345678' })).toBe('none');
  });
});

async function heldGrants(link_ids: string[]): Promise<string[]> {
  const body = { account_id: caller.credential.accountId, link_ids };
  const { grants } = await platform.harness.bus.call(
    resolveGrants,
    { body },
    internalContext(caller.requestId),
  );
  return grants.map(({ status }) => status);
}

const recalls = (send: { account_id: string }) =>
  outboxEvents(platform.notify, send, { name: grantsRecalled.name, columns: ['payload'] });

describe('NTF-29: a failed send', () => {
  it('recalls its grants, and its id is free again', async () => {
    const own = await platform.newCaller();
    const send_id = 'failed-once';
    const content = Object.assign(new NotifyContent(), { payload: 'no base64!', content_type: 'image/png' });
    expect(await reasonOf(platform.send({ send_id, content }, own))).toBe('VALIDATION_ERROR');
    const [recall] = await recalls({ account_id: own.credential.accountId });
    expect(recall?.payload).toMatchObject({
      link_ids: [expect.any(String)],
      spark_ids: [expect.stringMatching(/^spk_/)],
    });
    expect(await platform.send({ send_id }, own)).toMatchObject({ idempotent: false });
  });

  it('keeps its own error when PostgreSQL cannot abandon it, keeps its id, is not shown, and is abandoned later', async () => {
    const own = await platform.newCaller();
    await platform.sql(
      `ALTER TABLE outbox ADD CONSTRAINT refused CHECK (name <> '${grantsRecalled.name}') NOT VALID`,
    );
    const content = Object.assign(new NotifyContent(), { payload: 'no base64!', content_type: 'image/png' });
    try {
      const policy = asksForReply();
      const failing = platform.send({ send_id: 'kept', content, policy }, own);
      expect(await reasonOf(failing)).toBe('VALIDATION_ERROR');
    } finally {
      await platform.sql(`ALTER TABLE outbox DROP CONSTRAINT refused`);
    }
    expect(await reasonOf(platform.report('kept', own))).toBe('SEND_NOT_FOUND');
    expect(await reasonOf(conversation('kept', own))).toBe('SEND_NOT_FOUND');
    const repeated = { params: undefined, query: undefined, body: newSend({ send_id: 'kept' }) };
    const late = platform.notify.context.get(SendNotification).handle(repeated, { ...own, deadlineMs: 0 });
    expect(await reasonOf(late)).toBe('SEND_IN_PROGRESS');
    await platform.sql(`UPDATE sends SET lease_until = now(), purge_at = now() WHERE state = 'sealing'`);
    await platform.notify.context.get(PurgeSends).run();
    await platform.notify.context.get(AbandonExpiredSends).run();
    expect(await recalls({ account_id: own.credential.accountId })).toHaveLength(1);
    expect(await platform.send({ send_id: 'kept' }, own)).toMatchObject({ idempotent: false });
  });

  it('is not accepted any more once its reservation was abandoned, nor cancelled once it was accepted', async () => {
    const { send_id } = await platform.send({}, caller);
    const [{ id }] = (await platform.sql<{ id: string }>(`SELECT id FROM sends WHERE send_id = $1`, [
      send_id,
    ])) as [{ id: string }];
    const sends = platform.notify.context.get(SendRepository);
    const reserved = { id, accountId: caller.credential.accountId };
    const accept = platform.notify.context
      .get(Database)
      .transaction((tx) => sends.accept(tx, reserved, 0, actorOf(caller)));
    await expect(accept).rejects.toThrow('was abandoned');
    await sends.cancel(reserved);
    expect(await platform.report(send_id, caller)).toMatchObject({ send_id });
  });
});

const asksForReply = () => Object.assign(new NotifyPolicy(), { interaction: 'reply' as const });
const conversation = (send_id: string, by = caller) =>
  platform.harness.bus.call(readConversation, { params: { send_id } }, by);

describe('NTF-33 NTF-34: a conversation', () => {
  it('is the send of this id that asks for a reply', async () => {
    const titles = ['First', 'Second'];
    for (const title of titles)
      await platform.send({ send_id: `asks-${title}`, title, policy: asksForReply() }, caller);
    const read = await Promise.all(titles.map((title) => conversation(`asks-${title}`)));
    expect(read.map(({ title }) => title)).toEqual(titles);
    const { send_id } = await platform.send({}, caller);
    for (const other of [send_id, 'unknown'])
      expect(await reasonOf(conversation(other))).toBe('SEND_NOT_FOUND');
  });
});

describe('NTF-38: a delivery', () => {
  it('is queued when it is due and was not tried, and scheduled before', async () => {
    const { send_id } = await platform.send({ channels: ['email'] }, caller);
    const untried = async (due: string) => {
      // Mails are unconfigured here: nobody claims one.
      await platform.sql(
        `UPDATE messages m SET outcome = NULL, closed_at = NULL, next_attempt_at = now() + $2::interval
           FROM recipients r, sends s WHERE r.id = m.recipient AND s.id = r.send AND s.send_id = $1`,
        [send_id, due],
      );
      return (await platform.report(send_id, caller)).recipient_states[0]?.deliveries;
    };
    expect(await untried('1 hour')).toMatchObject([{ state: 'scheduled', attempts: 0 }]);
    expect(await untried('0 hours')).toMatchObject([{ state: 'queued', attempts: 0 }]);
  });
});

describe('NTF-34 NTF-38: ids of sends', () => {
  it.each(['unknown', 'x'.repeat(512)])('%j is answered like an unknown one', async (sendId) => {
    expect(await reasonOf(platform.report(sendId, caller))).toBe('SEND_NOT_FOUND');
    expect(await reasonOf(replay(sendId, randomUUID()))).toBe('SEND_NOT_FOUND');
  });

  it('of another account are answered like unknown ones', async () => {
    const { send_id } = await platform.send({}, caller);
    expect(await reasonOf(platform.report(send_id, await platform.newCaller()))).toBe('SEND_NOT_FOUND');
  });
});

const replay = (send_id: string, delivery_id: string) =>
  platform.harness.bus.call(replayDelivery, { params: { send_id, delivery_id } }, caller);

describe('NTF-39 NTF-43: the replay of a delivery', () => {
  async function unconfigured() {
    const { send_id } = await platform.send({ channels: ['email'] }, caller);
    const { status, recipient_states } = await settled(send_id);
    expect(status).toBe('failed');
    const [delivery] = recipient_states[0]?.deliveries ?? [];
    expect(delivery).toMatchObject({ channel: 'email', state: 'unconfigured' });
    return { send_id, delivery_id: delivery?.delivery_id ?? '' };
  }

  it('is refused while its channel has no credentials', async () => {
    const { send_id, delivery_id } = await unconfigured();
    expect(await reasonOf(replay(send_id, delivery_id))).toBe('DELIVERY_NOT_FAILED');
    expect((await settled(send_id)).recipient_states[0]?.deliveries).toMatchObject([
      { state: 'unconfigured' },
    ]);
  });

  it('is of a failed delivery of this send only', async () => {
    const [one, other] = [await unconfigured(), await unconfigured()];
    expect(await reasonOf(replay(one.send_id, other.delivery_id))).toBe('DELIVERY_NOT_FOUND');
    expect(await reasonOf(replay(one.send_id, 'nonsense'))).toBe('DELIVERY_NOT_FOUND');
    const { send_id } = await platform.send({}, caller);
    const { recipient_states } = await settled(send_id);
    const sent = recipient_states[0]?.deliveries[0]?.delivery_id ?? '';
    expect(await reasonOf(replay(send_id, sent))).toBe('DELIVERY_NOT_FAILED');
  });
});
