import { afterEach, expect, it, jest } from '@jest/globals';
import { accountContext } from './contexts.js';

afterEach(() => void jest.useRealTimers());

it('a caller that a spec has kept for a minute has the time of a new call', () => {
  jest.useFakeTimers();
  const kept = accountContext();
  jest.advanceTimersByTime(60_000);
  expect(kept.deadlineMs).toBe(Date.now() + 10_000);
  expect(accountContext({}, { deadlineMs: 7 }).deadlineMs).toBe(7);
});
