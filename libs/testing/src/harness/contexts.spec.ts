import { afterEach, expect, it, jest } from '@jest/globals';
import { accountContext, internalContext } from './contexts.js';

afterEach(() => void jest.useRealTimers());

it('gives a call half a minute, however long the spec has kept the context', () => {
  jest.useFakeTimers();
  const kept = accountContext();
  jest.advanceTimersByTime(60_000);
  expect(kept.deadlineMs).toBe(Date.now() + 30_000);
  const ofService = internalContext();
  jest.advanceTimersByTime(60_000);
  expect(ofService.deadlineMs).toBe(Date.now() + 60_000);
  expect(accountContext({}, { deadlineMs: 7 }).deadlineMs).toBe(7);
});
