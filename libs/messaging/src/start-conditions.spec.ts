import { describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { StartConditions } from './start-conditions.js';

/** A condition whose checks wait until the test settles them. */
function scripted(conditions: StartConditions) {
  const checks: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  conditions.add('scripted', () => new Promise((resolve, reject) => checks.push({ resolve, reject })));
  return {
    next: (count: number) =>
      eventually(
        () => checks[count - 1],
        (check) => check !== undefined,
      ),
  };
}

describe('OPEN-56: a condition of the start', () => {
  it('is tried again until it is met, and calls are accepted once', async () => {
    const conditions = new StartConditions();
    const { next } = scripted(conditions);
    let accepted = 0;
    const start = conditions.whenMet(async () => void (accepted += 1));
    (await next(1))?.reject(new Error('not yet'));
    await start;
    expect([conditions.waitingFor, accepted]).toEqual([['scripted'], 0]);
    (await next(2))?.resolve();
    await eventually(
      () => conditions.waitingFor,
      (names) => names.length === 0,
    );
    expect(accepted).toBe(1);
  });

  it.each([1, 2])('that is met after the shutdown began, at check %d, lets no call in', async (last) => {
    const conditions = new StartConditions();
    const { next } = scripted(conditions);
    let accepted = 0;
    const start = conditions.whenMet(async () => void (accepted += 1));
    if (last === 2) (await next(1))?.reject(new Error('not yet'));
    const check = await next(last);
    conditions.beforeApplicationShutdown();
    check?.resolve();
    await start;
    await new Promise((resolve) => setImmediate(resolve));
    expect([conditions.waitingFor, accepted]).toEqual([['subscriptions'], 0]);
  });
});
