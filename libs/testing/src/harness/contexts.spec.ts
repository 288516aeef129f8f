import { afterEach, expect, it, jest } from '@jest/globals';
import { accountContext } from './contexts.js';

afterEach(() => void jest.useRealTimers());

it('gives a call ten seconds, however long the spec has kept the context', () => {
  jest.useFakeTimers();
  const kept = accountContext();
  jest.advanceTimersByTime(60_000);
  expect(kept.deadlineMs).toBe(Date.now() + 10_000);
  expect(accountContext({}, { deadlineMs: 7 }).deadlineMs).toBe(7);
});
