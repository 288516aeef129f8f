import { describe, expect, it } from '@jest/globals';
import { Busy } from '@vaultsvc/contracts';
import { setImmediate } from 'node:timers/promises';
import { assertBeforeDeadline, PrioritySemaphore } from './priority-semaphore.js';

const IN_TIME = Number.POSITIVE_INFINITY;

describe('PrioritySemaphore', () => {
  it('runs at most as many pieces as it has permits, and releases the permits of failed ones', async () => {
    const semaphore = new PrioritySemaphore(2);
    let [now, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, ++now);
      await setImmediate();
      now -= 1;
      throw new Error('failed');
    };
    const all = Array.from({ length: 7 }, () => semaphore.run(1, IN_TIME, work));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(Array(7).fill('rejected'));
    expect([now, most]).toEqual([0, 2]);
    expect(await semaphore.run(1, IN_TIME, async () => 'done')).toBe('done');
  });

  it('ENV-35: rejects a waiter with BUSY after half of the time to its deadline, and runs the others', async () => {
    const semaphore = new PrioritySemaphore(2);
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const held = [semaphore.run(1, IN_TIME, () => finished), semaphore.run(1, IN_TIME, () => finished)];
    const next = semaphore.run(1, IN_TIME, async () => 'next');
    const refused = semaphore.run(1, Date.now() + 200, async () => 'late');
    await expect(refused).rejects.toMatchObject({
      reason: 'BUSY',
      details: { limit: 2, used: 2, resets_at: expect.any(Number) },
    });
    finish();
    expect(await Promise.all([next, ...held])).toEqual(['next', undefined, undefined]);
  });

  it('ENV-35: assertBeforeDeadline throws Busy while the answer can still reach the caller', () => {
    expect(() => assertBeforeDeadline(Date.now() + 10_000)).not.toThrow();
    expect(() => assertBeforeDeadline(Date.now() + 400)).toThrow(Busy);
  });

  it('runs the smallest waiting piece next, and drops waiters that have timed out', async () => {
    const semaphore = new PrioritySemaphore();
    const started: string[] = [];
    const run = (name: string, size: number, deadlineMs = IN_TIME) =>
      semaphore.run(size, deadlineMs, async () => {
        started.push(name);
        await setImmediate();
      });
    const first = run('first', 9);
    const others = [run('large', 8), run('too late', 2, Date.now() - 1), run('small', 1)];
    await Promise.allSettled([first, ...others]);
    expect(started).toEqual(['first', 'small', 'large']);
  });
});
