import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { CommandTimeout } from './command-timeout.js';

const timeouts: CommandTimeout[] = [];
const timeoutOf = (ms: number) => {
  const timeout = new CommandTimeout(ms);
  timeouts.push(timeout);
  return timeout;
};

afterEach(() => {
  for (const timeout of timeouts.splice(0)) timeout.stop();
  jest.useRealTimers();
});

/** Observes a reply: `pending`, its value, or its error. */
function observe(reply: Promise<unknown>): { outcome: unknown } {
  const observed = { outcome: 'pending' as unknown };
  reply.then(
    (value) => (observed.outcome = value),
    (error: unknown) => (observed.outcome = String(error)),
  );
  return observed;
}

describe('ENV-36: the timeout of a Redis command', () => {
  it('rejects each reply that takes longer, measured from its own start', async () => {
    jest.useFakeTimers();
    const timeout = timeoutOf(250);
    const first = observe(timeout.apply(new Promise(() => undefined)));
    await jest.advanceTimersByTimeAsync(210);
    const second = observe(timeout.apply(new Promise(() => undefined)));
    await jest.advanceTimersByTimeAsync(39);
    expect(first.outcome).toBe('pending');
    await jest.advanceTimersByTimeAsync(2);
    expect([first.outcome, second.outcome]).toEqual(['Error: no answer within 250 ms', 'pending']);
    await jest.advanceTimersByTimeAsync(198);
    expect(second.outcome).toBe('pending');
    await jest.advanceTimersByTimeAsync(2);
    expect(second.outcome).toBe('Error: no answer within 250 ms');
  });

  it('passes on a reply or an error that comes in time', async () => {
    jest.useFakeTimers();
    const timeout = timeoutOf(250);
    const answer = observe(timeout.apply(new Promise((resolve) => setTimeout(resolve, 240, 'pong'))));
    const failed = observe(timeout.apply(Promise.reject(new Error('closed'))));
    await jest.advanceTimersByTimeAsync(1_000);
    expect([answer.outcome, failed.outcome]).toEqual(['pong', 'Error: closed']);
  });

  it('accepts a reply that arrived in time, however long the event loop was blocked', async () => {
    const { port1, port2 } = new MessageChannel();
    const answer = timeoutOf(100).apply(once(port2, 'message'));
    await nextTurn(); // From here timers run before messages, as they run before sockets are read.
    port1.postMessage('pong');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    expect(await answer).toEqual(['pong']);
    port1.close();
  });
});
