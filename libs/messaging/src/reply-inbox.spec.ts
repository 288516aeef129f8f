import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { ReplyInbox } from './reply-inbox.js';

type Receive = (error: Error | null, message: Msg) => void;

let receive: Receive;
/** Only the order of its messages and of timers matters here; what a server does is the subject of other specs. */
const connection = {
  subscribe: (_: string, { callback }: { callback: Receive }) => void (receive ??= callback),
  closed: () => new Promise(() => undefined),
  status: () => ({ async *[Symbol.asyncIterator]() {} }),
  isClosed: () => true,
} as unknown as NatsConnection;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

describe('ENV-30: the deadline of a call', () => {
  it('that passed while the process was paused does not refuse a reply that had arrived', async () => {
    const inbox = new ReplyInbox(connection, 'gateway');
    const subject = inbox.newSubject();
    const message = { subject, data: new Uint8Array([1]) } as Msg;
    const reply = { reason: '', payload: message.data };
    const answer = inbox.wait(subject, 'sparks', 100, () => reply);
    jest.advanceTimersByTime(100); // the timers of a process that goes on
    receive(null, message); // then its sockets
    expect(await answer).toBe(reply);
  });

  it('ends the call without one', async () => {
    const inbox = new ReplyInbox(connection, 'gateway');
    const answer = inbox.wait(inbox.newSubject(), 'sparks', 100, () => undefined);
    jest.advanceTimersByTime(100);
    await expect(answer).rejects.toMatchObject({ kind: 'slow' });
  });
});
