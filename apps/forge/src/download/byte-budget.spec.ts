import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Istk } from '../istk/istk.js';
import { ByteBudget, BUDGET_BYTES_MAX } from './byte-budget.js';

const istk = {} as Istk;

/** Steps that are answered when the test says so. */
function steps() {
  const asked: { readonly bytes: number; readonly answer: (bytes: number) => void }[] = [];
  const take = (_: Istk, bytes: number) =>
    new Promise<number>((answer) => void asked.push({ bytes, answer }));
  return { asked, take };
}

/** One whose first step is spent, and whose next one is on its way. */
function waiting() {
  const { asked, take } = steps();
  const allowance = new ByteBudget({ reserve: take }, istk, 3 * BUDGET_BYTES_MAX, BUDGET_BYTES_MAX);
  expect(allowance.spend(BUDGET_BYTES_MAX)).toBe(BUDGET_BYTES_MAX);
  expect([allowance.spend(1), asked.length]).toEqual([0, 1]);
  return { allowance, asked, answerFirst: () => asked[0]?.answer(asked[0].bytes) };
}

describe('FRG-29: what a download takes before it sends it', () => {
  it('is waited for by who sends, and more is taken in time', async () => {
    const { allowance, asked, answerFirst } = waiting();
    const refilled = allowance.refill();
    answerFirst();
    await refilled;
    expect(allowance.spend(BUDGET_BYTES_MAX)).toBe(BUDGET_BYTES_MAX);
    expect([allowance.reservedBytes, asked.length]).toEqual([2 * BUDGET_BYTES_MAX, 2]);
  });

  it('is counted when the download ends while its sender waits for it', async () => {
    const { allowance, answerFirst } = waiting();
    const refilled = allowance.refill();
    let isClosed = false;
    const closed = allowance.close().then(() => (isClosed = true));
    await setImmediate();
    expect(isClosed).toBe(false);
    answerFirst();
    await Promise.all([closed, refilled]);
    expect(allowance.reservedBytes).toBe(2 * BUDGET_BYTES_MAX);
  });

  it('is not taken when the download has ended, by a sender that has not heard of it', async () => {
    const { allowance, asked, answerFirst } = waiting();
    const closed = allowance.close();
    answerFirst();
    await closed;
    allowance.spend(BUDGET_BYTES_MAX);
    expect([allowance.reservedBytes, asked.length]).toEqual([2 * BUDGET_BYTES_MAX, 1]);
  });
});
