import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { DueMessageRepository } from '../messages/due-message.repository.js';
import { MessageRepository, type ClaimedMessage, type MessageKind } from '../messages/message.repository.js';
import { notify } from '../service-definition.js';
import type { Channel } from './channel.js';
import { MessageQueue } from './message-queue.js';
import { SendMessages } from './send-messages.job.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => {
  service = await harness.start(notify);
  await service.context.get(SendMessages).beforeApplicationShutdown(); // only the queues of the tests send
});

/** A message that is being sent, until it is ended. */
interface InFlight {
  readonly message: ClaimedMessage;
  end(isAnswered: boolean): void;
}

let queue: MessageQueue | undefined;
let inFlight: InFlight[];
/** The accounts of all messages in the order in which they were begun. */
let begun: string[];
let isOver: boolean;

beforeEach(async () => {
  await rowsOf(service, 'DELETE FROM messages');
  inFlight = [];
  begun = [];
  isOver = false;
});
afterEach(async () => {
  isOver = true;
  const stopped = queue?.stop();
  for (const one of inFlight) one.end(true);
  await stopped;
});

function startQueue(changes: Partial<Channel>): void {
  const channel = { name: 'email', concurrency: 5, ratePerSecond: Infinity, ...changes } as Channel;
  const { context } = service;
  queue = new MessageQueue(channel, context.get(DueMessageRepository), async (message) => {
    begun.push(message.account_id);
    if (isOver) return true;
    const isAnswered = await new Promise<boolean>((end) => inFlight.push({ message, end }));
    inFlight = inFlight.filter((one) => one.message.id !== message.id);
    if (isAnswered) await context.get(MessageRepository).close(message, 'sent');
    return isAnswered;
  });
  queue.start();
}

/** Queues messages of an account that are due, and ends the wait of the queue. */
async function owe(count: number, account: string, kind: MessageKind = 'link_delivery', channel = 'email') {
  const values = [kind, channel, account, count];
  await rowsOf(service, kind === 'notification' ? insertNotifications : insertMessages, values);
  queue?.wake();
}

const insertMessages = `
  INSERT INTO messages (id, kind, channel, subject_id, account_id)
  SELECT gen_random_uuid(), $1, $2, 's', $3 FROM generate_series(1, $4::int)`;

const insertNotifications = `
  WITH send AS (
    INSERT INTO sends (id, account_id, send_id, state, request_id, organization_name, verification_level, interaction, channels,
                       recipient_count, expires_at, purge_at)
    VALUES (gen_random_uuid(), $3, gen_random_uuid(), 'accepted', 'r', 'o', 'none', 'none', '{}', $4::int, now(), now())
    RETURNING id),
  recipient AS (
    INSERT INTO recipients (id, send, position, account_id, label, directory_key)
    SELECT gen_random_uuid(), send.id, n, $3, 'l', 'k' FROM send, generate_series(1, $4::int) n RETURNING id)
  INSERT INTO messages (id, kind, channel, subject_id, account_id, recipient, step)
  SELECT gen_random_uuid(), $1, $2, 's', $3, id, 0 FROM recipient`;

const hasBegun = (count: number) =>
  eventually(
    () => begun.length,
    (now) => now >= count,
  );
const accounts = (name: string) => begun.filter((account) => account === name).length;
const busy = `acc_${randomUUID()}`;
const another = newId('acc_');

describe('NTF-30: an account with 100 messages whose provider never answers', () => {
  it('uses a quarter of the places, and messages of other accounts begin at once', async () => {
    startQueue({ name: 'webhook', concurrency: 20 });
    await owe(100, busy, 'notification', 'webhook');
    await hasBegun(5);
    await owe(2, another, 'notification', 'webhook');
    await hasBegun(7);
    await owe(1, newId('acc_'), 'notification', 'webhook');
    await hasBegun(8);
    expect(accounts(busy)).toBe(5);
  });
});

describe('NTF-30: an account with 100 messages whose provider answers', () => {
  it('uses most places while it is alone, but not all', async () => {
    startQueue({ name: 'webhook', concurrency: 20 });
    await owe(100, busy, 'notification', 'webhook');
    await hasBegun(5);
    inFlight[0]?.end(true);
    await hasBegun(18);
    await owe(1, another, 'notification', 'webhook');
    await hasBegun(19);
    expect(accounts(busy)).toBe(18); // one of them has ended
  });

  it('alternates with another account at the rate of the provider', async () => {
    startQueue({ name: 'voice', concurrency: 2, ratePerSecond: 50 });
    await owe(100, busy, 'notification', 'voice');
    await hasBegun(1);
    await owe(2, another, 'notification', 'voice');
    await eventually(
      () => {
        inFlight[0]?.end(true);
        return accounts(another);
      },
      (count) => count === 2,
    );
    // At most one of the busy account is begun before each of the other one, and one may have been on its way.
    expect(begun.lastIndexOf(another)).toBeLessThanOrEqual(6);
  });
});

describe('NTF-30 NTF-43: an account whose receiver is postponed', () => {
  it('has its due notifications of this channel wait, and no others', async () => {
    await owe(1, busy, 'notification', 'webhook');
    await rowsOf(service, `UPDATE messages SET next_attempt_at = now() + interval '1 hour'`);
    await owe(1, busy, 'notification', 'webhook');
    await owe(1, busy, 'notification', 'slack');
    await owe(1, another, 'notification', 'webhook');
    await service.context.get(DueMessageRepository).postponeAccount('webhook', busy, 600);
    const due = `SELECT account_id, channel FROM messages WHERE next_attempt_at <= now() ORDER BY channel`;
    expect(await rowsOf(service, due)).toEqual([
      { account_id: busy, channel: 'slack' },
      { account_id: another, channel: 'webhook' },
    ]);
    const later = `SELECT account_id FROM messages WHERE next_attempt_at > now() + interval '30 minutes'`;
    expect(await rowsOf(service, later)).toEqual([{ account_id: busy }]);
  });
});

describe('NTF-30 OPEN-25: mails', () => {
  it('of notifications leave a place to invitations and links, and these leave one to codes', async () => {
    startQueue({ concurrency: 5 });
    for (let account = 0; account < 10; account++) {
      await owe(1, newId('acc_n_'), 'notification');
      if (account < 3) await hasBegun(account + 1);
    }
    await hasBegun(3);
    for (let account = 0; account < 10; account++) await owe(1, newId('acc_l_'), 'link_delivery');
    await hasBegun(5);
    inFlight.find(({ message }) => message.kind === 'notification')?.end(true);
    await hasBegun(6);
    const kinds = inFlight.map(({ message }) => message.kind);
    expect(kinds.filter((kind) => kind === 'notification').length).toBe(2);
    expect(kinds.filter((kind) => kind === 'link_delivery').length).toBe(3);
  });

  it('with codes are first, then those with links and invitations, then notifications', async () => {
    await owe(2, busy, 'notification');
    await owe(1, newId('acc_'), 'invitation');
    await owe(1, newId('acc_'), 'link_code');
    startQueue({ concurrency: 1 });
    const kinds: MessageKind[] = [];
    await eventually(
      () => {
        const [one] = inFlight;
        if (one && kinds.length < begun.length) kinds.push(one.message.kind);
        one?.end(true);
        return kinds.length;
      },
      (count) => count === 4,
    );
    expect(kinds).toEqual(['link_code', 'invitation', 'notification', 'notification']);
  });
});
