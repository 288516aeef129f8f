import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { watchForStall } from './stall-watch.js';

const WITHIN_MS = 1_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function watched() {
  const state = { isWaitingForStore: true, moved: 0, stalls: 0 };
  const unwatch = watchForStall({
    withinMs: WITHIN_MS,
    isWaitingForStore: () => state.isWaitingForStore,
    progress: () => state.moved,
    onStall: () => (state.stalls += 1),
  });
  return { state, unwatch };
}

describe('a store without progress', () => {
  it('is reported after its time, at most a tenth later', () => {
    const { state } = watched();
    jest.advanceTimersByTime(WITHIN_MS);
    expect(state.stalls).toBe(0);
    jest.advanceTimersByTime(WITHIN_MS / 10);
    expect(state.stalls).toBe(1);
  });

  it.each([
    ['makes progress', { moved: 1 }],
    ['waits for its client', { isWaitingForStore: false }],
  ])('gets its whole time again when it %s', (_, change) => {
    const { state } = watched();
    jest.advanceTimersByTime(WITHIN_MS);
    Object.assign(state, change);
    jest.advanceTimersByTime(WITHIN_MS / 10);
    state.isWaitingForStore = true;
    jest.advanceTimersByTime(WITHIN_MS - WITHIN_MS / 10);
    expect(state.stalls).toBe(0);
    jest.advanceTimersByTime(WITHIN_MS / 5);
    expect(state.stalls).toBeGreaterThan(0);
  });

  it('is not reported after the watch has stopped', () => {
    const { state, unwatch } = watched();
    unwatch();
    jest.advanceTimersByTime(2 * WITHIN_MS);
    expect(state.stalls).toBe(0);
  });
});
