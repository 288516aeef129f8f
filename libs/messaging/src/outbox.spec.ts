import { describe, expect, it } from '@jest/globals';
import { Outbox } from './outbox.js';

const LONG_MS = 60_000;

describe('A wake of the relay', () => {
  it('is not lost while the relay is sending: the next wait ends at once', async () => {
    const outbox = new Outbox('source');
    outbox.wake();
    await outbox.nextWake(LONG_MS, new AbortController().signal);
  });

  it('ends one wait only: the wait after that lasts until the next wake', async () => {
    const outbox = new Outbox('source');
    outbox.wake();
    const { signal } = new AbortController();
    await outbox.nextWake(LONG_MS, signal);
    let over = false;
    const waiting = outbox.nextWake(LONG_MS, signal).then(() => (over = true));
    await new Promise(setImmediate);
    expect(over).toBe(false);
    outbox.wake();
    await waiting;
  });

  it('is not needed at shutdown, before the wait or in it', async () => {
    const outbox = new Outbox('source');
    const stop = new AbortController();
    const waiting = outbox.nextWake(LONG_MS, stop.signal);
    stop.abort();
    await waiting;
    await outbox.nextWake(LONG_MS, stop.signal);
  });
});
