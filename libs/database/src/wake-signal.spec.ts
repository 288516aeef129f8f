import { describe, expect, it } from '@jest/globals';
import { WakeSignal } from './wake-signal.js';

const LONG_MS = 60_000;

describe('A wake', () => {
  it('is not lost while the loop is working: its next wait ends at once', async () => {
    const wakes = new WakeSignal();
    wakes.wake();
    expect(await wakes.next(LONG_MS, new AbortController().signal)).toBe(true);
  });

  it('ends one wait only: the wait after that lasts until the next wake', async () => {
    const wakes = new WakeSignal();
    wakes.wake();
    const { signal } = new AbortController();
    await wakes.next(LONG_MS, signal);
    let over = false;
    const waiting = wakes.next(LONG_MS, signal).then(() => (over = true));
    await new Promise(setImmediate);
    expect(over).toBe(false);
    wakes.wake();
    await waiting;
  });

  it('is not needed at shutdown, before the wait or in it', async () => {
    const wakes = new WakeSignal();
    const stop = new AbortController();
    const waiting = wakes.next(LONG_MS, stop.signal);
    stop.abort();
    expect(await waiting).toBe(false);
    expect(await wakes.next(LONG_MS, stop.signal)).toBe(false);
  });
});
