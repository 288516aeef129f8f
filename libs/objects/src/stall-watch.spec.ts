import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { watchForStall } from './stall-watch.js';

const WITHIN_MS = 1_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function watched() {
  const state = { isStoresTurn: true, moved: 0, stalls: 0 };
  const unwatch = watchForStall({
    withinMs: WITHIN_MS,
    isStoresTurn: () => state.isStoresTurn,
    progress: () => state.moved,
    onStall: () => (state.stalls += 1),
  });
  return { state, unwatch };
}

describe('a store that is there and does nothing', () => {
  it('has its whole time, and a tenth more at most', () => {
    const { state } = watched();
    jest.advanceTimersByTime(WITHIN_MS);
    expect(state.stalls).toBe(0);
    jest.advanceTimersByTime(WITHIN_MS / 10);
    expect(state.stalls).toBe(1);
  });

  it.each([
    ['has moved something', { moved: 1 }],
    ['had to wait for its client', { isStoresTurn: false }],
  ])('has it anew when it %s', (_, change) => {
    const { state } = watched();
    jest.advanceTimersByTime(WITHIN_MS);
    Object.assign(state, change);
    jest.advanceTimersByTime(WITHIN_MS / 10);
    state.isStoresTurn = true;
    jest.advanceTimersByTime(WITHIN_MS - WITHIN_MS / 10);
    expect(state.stalls).toBe(0);
    jest.advanceTimersByTime(WITHIN_MS / 5);
    expect(state.stalls).toBeGreaterThan(0);
  });

  it('is watched by nobody any more when the watch has ended', () => {
    const { state, unwatch } = watched();
    unwatch();
    jest.advanceTimersByTime(2 * WITHIN_MS);
    expect(state.stalls).toBe(0);
  });
});
