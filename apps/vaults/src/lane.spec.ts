import { describe, expect, it } from '@jest/globals';
import { Busy } from '@vaultsvc/contracts';
import { setImmediate } from 'node:timers/promises';
import { assertInTime, Lane } from './lane.js';

const IN_TIME = Number.POSITIVE_INFINITY;

describe('a lane for long work', () => {
  it('has as many under way as it has places, whatever becomes of them', async () => {
    const lane = new Lane(2);
    let [now, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, ++now);
      await setImmediate();
      now -= 1;
      throw new Error('failed');
    };
    const all = Array.from({ length: 7 }, () => lane.run(1, IN_TIME, work));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(Array(7).fill('rejected'));
    expect([now, most]).toEqual([0, 2]);
    expect(await lane.run(1, IN_TIME, async () => 'done')).toBe('done');
  });

  it('ENV-35: refuses who has waited for half of its time, and goes on with the others', async () => {
    const lane = new Lane(2);
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const held = [lane.run(1, IN_TIME, () => finished), lane.run(1, IN_TIME, () => finished)];
    const next = lane.run(1, IN_TIME, async () => 'next');
    const refused = lane.run(1, Date.now() + 200, async () => 'late');
    await expect(refused).rejects.toMatchObject({
      reason: 'BUSY',
      details: { limit: 2, used: 2, resets_at: expect.any(Number) },
    });
    finish();
    expect(await Promise.all([next, ...held])).toEqual(['next', undefined, undefined]);
  });

  it('ENV-35: long work is given up while its caller still hears of it', () => {
    expect(() => assertInTime(Date.now() + 10_000)).not.toThrow();
    expect(() => assertInTime(Date.now() + 400)).toThrow(Busy);
  });

  it('takes the smallest next, and leaves out what nobody waits for any more', async () => {
    const lane = new Lane();
    const begun: string[] = [];
    const run = (name: string, size: number, deadlineMs = IN_TIME) =>
      lane.run(size, deadlineMs, async () => {
        begun.push(name);
        await setImmediate();
      });
    const first = run('first', 9);
    const others = [run('large', 8), run('too late', 2, Date.now() - 1), run('small', 1)];
    await Promise.allSettled([first, ...others]);
    expect(begun).toEqual(['first', 'small', 'large']);
  });
});
