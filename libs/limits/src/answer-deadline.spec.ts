import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { AnswerDeadline } from './answer-deadline.js';

const deadlines: AnswerDeadline[] = [];
const within = (ms: number) => {
  const deadline = new AnswerDeadline(ms);
  deadlines.push(deadline);
  return deadline;
};

afterEach(() => {
  for (const deadline of deadlines.splice(0)) deadline.stop();
  jest.useRealTimers();
});

/** What has become of it so far. */
function seen(answer: Promise<unknown>): { outcome: unknown } {
  const look = { outcome: 'open' as unknown };
  answer.then(
    (value) => (look.outcome = value),
    (error: unknown) => (look.outcome = String(error)),
  );
  return look;
}

describe('ENV-36: how long an answer may take', () => {
  it('each is waited for as long as that, and then given up', async () => {
    jest.useFakeTimers();
    const deadline = within(250);
    const first = seen(deadline.bound(new Promise(() => undefined)));
    await jest.advanceTimersByTimeAsync(210);
    const second = seen(deadline.bound(new Promise(() => undefined)));
    await jest.advanceTimersByTimeAsync(39);
    expect(first.outcome).toBe('open');
    await jest.advanceTimersByTimeAsync(2);
    expect([first.outcome, second.outcome]).toEqual(['Error: no answer within 250 ms', 'open']);
    await jest.advanceTimersByTimeAsync(198);
    expect(second.outcome).toBe('open');
    await jest.advanceTimersByTimeAsync(2);
    expect(second.outcome).toBe('Error: no answer within 250 ms');
  });

  it('one that comes in time is the answer, and so is its error', async () => {
    jest.useFakeTimers();
    const deadline = within(250);
    const answer = seen(deadline.bound(new Promise((resolve) => setTimeout(resolve, 240, 'pong'))));
    const failed = seen(deadline.bound(Promise.reject(new Error('closed'))));
    await jest.advanceTimersByTimeAsync(1_000);
    expect([answer.outcome, failed.outcome]).toEqual(['pong', 'Error: closed']);
  });

  it('one that lies there is read, however long this process was too busy to look', async () => {
    const { port1, port2 } = new MessageChannel();
    const answer = within(100).bound(once(port2, 'message'));
    await nextTurn(); // From here timers come first, and what has come in after them, as with a socket.
    port1.postMessage('pong');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    expect(await answer).toEqual(['pong']);
    port1.close();
  });
});
