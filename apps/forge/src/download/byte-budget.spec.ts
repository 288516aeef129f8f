import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ByteBudget, BUDGET_BYTES_MAX } from './byte-budget.js';
import type { MeteredDownload } from './byte-meter.js';

const download = {} as MeteredDownload;

/** A meter whose counts are answered when the test says so. */
function controlledMeter() {
  const counts: { readonly bytes: number; readonly answer: () => void }[] = [];
  const count = (_: MeteredDownload, bytes: number) =>
    new Promise<void>((answer) => void counts.push({ bytes, answer }));
  return { counts, count };
}

/** A budget whose first bytes are spent, and whose next count is pending. */
function exhaustedBudget() {
  const { counts, count } = controlledMeter();
  const budget = new ByteBudget({ count }, download, 3 * BUDGET_BYTES_MAX, BUDGET_BYTES_MAX);
  expect(budget.spend(BUDGET_BYTES_MAX)).toBe(BUDGET_BYTES_MAX);
  expect([budget.spend(1), counts.length]).toEqual([0, 1]);
  return { budget, counts, answerFirst: () => counts[0]?.answer() };
}

describe('FRG-29: the byte budget of a download', () => {
  it('makes the sender wait for a pending count, and counts more ahead of need', async () => {
    const { budget, counts, answerFirst } = exhaustedBudget();
    const refilled = budget.refill();
    answerFirst();
    await refilled;
    expect(budget.spend(BUDGET_BYTES_MAX)).toBe(BUDGET_BYTES_MAX);
    expect(counts.map(({ bytes }) => bytes)).toEqual([BUDGET_BYTES_MAX, BUDGET_BYTES_MAX]);
  });

  it('waits for a count that is pending when the download ends', async () => {
    const { budget, answerFirst } = exhaustedBudget();
    const refilled = budget.refill();
    let isClosed = false;
    const closed = budget.close().then(() => (isClosed = true));
    await setImmediate();
    expect(isClosed).toBe(false);
    answerFirst();
    await Promise.all([closed, refilled]);
    expect(isClosed).toBe(true);
  });

  it('counts nothing after the download has ended, even if its sender continues', async () => {
    const { budget, counts, answerFirst } = exhaustedBudget();
    const closed = budget.close();
    answerFirst();
    await closed;
    budget.spend(BUDGET_BYTES_MAX);
    expect(counts).toHaveLength(1);
    await expect(budget.refill()).rejects.toThrow('the download has ended');
  });
});
