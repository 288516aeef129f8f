import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Istk } from '../istk/istk.js';
import { ByteBudget, BUDGET_BYTES_MAX } from './byte-budget.js';

const istk = {} as Istk;

/** A meter whose reservations are answered when the test says so. */
function controlledMeter() {
  const reservations: { readonly bytes: number; readonly answer: (bytes: number) => void }[] = [];
  const reserve = (_: Istk, bytes: number) =>
    new Promise<number>((answer) => void reservations.push({ bytes, answer }));
  return { reservations, reserve };
}

/** A budget whose first bytes are spent, and whose next reservation is pending. */
function exhaustedBudget() {
  const { reservations, reserve } = controlledMeter();
  const budget = new ByteBudget({ reserve }, istk, 3 * BUDGET_BYTES_MAX, BUDGET_BYTES_MAX);
  expect(budget.spend(BUDGET_BYTES_MAX)).toBe(BUDGET_BYTES_MAX);
  expect([budget.spend(1), reservations.length]).toEqual([0, 1]);
  return { budget, reservations, answerFirst: () => reservations[0]?.answer(reservations[0].bytes) };
}

describe('FRG-29: the byte budget of a download', () => {
  it('makes the sender wait for a pending reservation, and reserves more ahead of need', async () => {
    const { budget, reservations, answerFirst } = exhaustedBudget();
    const refilled = budget.refill();
    answerFirst();
    await refilled;
    expect(budget.spend(BUDGET_BYTES_MAX)).toBe(BUDGET_BYTES_MAX);
    expect([budget.reservedBytes, reservations.length]).toEqual([2 * BUDGET_BYTES_MAX, 2]);
  });

  it('counts a reservation that is pending when the download ends', async () => {
    const { budget, answerFirst } = exhaustedBudget();
    const refilled = budget.refill();
    let isClosed = false;
    const closed = budget.close().then(() => (isClosed = true));
    await setImmediate();
    expect(isClosed).toBe(false);
    answerFirst();
    await Promise.all([closed, refilled]);
    expect(budget.reservedBytes).toBe(2 * BUDGET_BYTES_MAX);
  });

  it('reserves nothing after the download has ended, even if its sender continues', async () => {
    const { budget, reservations, answerFirst } = exhaustedBudget();
    const closed = budget.close();
    answerFirst();
    await closed;
    budget.spend(BUDGET_BYTES_MAX);
    expect([budget.reservedBytes, reservations.length]).toEqual([2 * BUDGET_BYTES_MAX, 1]);
  });
});
