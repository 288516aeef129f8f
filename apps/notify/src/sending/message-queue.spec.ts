import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { notify } from '../service-definition.js';
import { DueMessageRepository, type MessageClass } from '../messages/due-message.repository.js';
import { MessageRepository, type ClaimedMessage } from '../messages/message.repository.js';
import type { Channel } from './channel.js';
import { MessageQueue } from './message-queue.js';

const SENDING_MAX = 3;
/** One place more than invitations may use: it is kept for codes. */
const channel: Channel = {
  name: 'email',
  concurrency: SENDING_MAX + 1,
  ratePerSecond: Infinity,
  missingSettings: () => [],
};

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService; // no channel is configured: only the queue of the test sends
let messages: MessageRepository;
let due: CountingRepository;
let queue: MessageQueue;
/** Ends of the messages that are being sent. */
let sending: (() => void)[];

/** The real repository, which counts its claims and the rounds of the queue. */
class CountingRepository extends DueMessageRepository {
  claims = 0;
  rounds = 0;

  override claim(
    messageClass: MessageClass,
    accounts: readonly string[],
  ): Promise<ClaimedMessage | undefined> {
    this.claims++;
    return super.claim(messageClass, accounts);
  }

  override nextDueMs(name: Channel['name']): Promise<number | undefined> {
    this.rounds++;
    return super.nextDueMs(name);
  }
}

beforeAll(async () => {
  service = await harness.start(notify);
});
beforeEach(async () => {
  await rowsOf(service, 'DELETE FROM messages');
  sending = [];
  messages = service.context.get(MessageRepository);
  due = new CountingRepository(service.context.get(Database));
  queue = new MessageQueue(channel, due, async (message) => {
    await new Promise<void>((resolve) => sending.push(resolve));
    await messages.close(message, 'sent');
    return true;
  });
});
afterEach(async () => {
  const stopped = queue.stop();
  endAll();
  await stopped;
});

async function owe(count: number): Promise<void> {
  const added = Array.from({ length: count }, () => ({
    id: randomUUID(),
    kind: 'invitation' as const,
    channel: 'email' as const,
    subjectId: newId('usr_'),
    accountId: newId('acc_'),
    requestId: null,
  }));
  await service.context.get(Database).transaction((tx) => messages.add(tx, added));
}

const endAll = () => sending.splice(0).forEach((end) => end());
const areSending = (count: number) =>
  eventually(
    () => sending.length,
    (now) => now === count,
  );
const hasLooked = (count: number) =>
  eventually(
    () => due.rounds,
    (now) => now === count,
  );
const sentRows = () => rowsOf(service, `SELECT id FROM messages WHERE outcome = 'sent'`);

describe('NTF-30: the queue of a channel', () => {
  it('sends several messages at a time, and the next one when one ends', async () => {
    await owe(SENDING_MAX + 1);
    queue.start();
    await areSending(SENDING_MAX);
    expect(due.claims).toBe(SENDING_MAX);
    sending.shift()?.();
    await areSending(SENDING_MAX);
    expect(due.claims).toBe(SENDING_MAX + 1);
  });

  it('begins a message that is queued while another one hangs', async () => {
    await owe(1);
    queue.start();
    await areSending(1);
    await owe(1);
    queue.wake();
    await areSending(2);
  });

  it('looks once for each wake, however many messages it may send', async () => {
    queue.start();
    await hasLooked(1);
    queue.wake();
    await hasLooked(2);
  });

  it('stops only after the messages that are being sent have ended', async () => {
    await owe(2);
    queue.start();
    await areSending(2);
    let isStopped = false;
    const stopped = queue.stop().then(() => (isStopped = true));
    sending.shift()?.();
    await eventually(sentRows, (rows) => rows.length === 1);
    expect(isStopped).toBe(false);
    endAll();
    await stopped;
    expect(await sentRows()).toHaveLength(2);
  });
});
