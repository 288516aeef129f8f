import { describe, expect, it } from '@jest/globals';
import { ConcurrentModification, retryOnConflict } from './retry-on-conflict.js';

/** An attempt that conflicts the given number of times, then resolves with the number of attempts. */
function conflicting(times: number) {
  let attempts = 0;
  return () => {
    attempts += 1;
    return attempts > times ? Promise.resolve(attempts) : Promise.reject(new ConcurrentModification());
  };
}

describe('retryOnConflict', () => {
  it('STR-06 ENV-30: retries past a dozen conflicts, so that contention is not answered with a 500', async () => {
    expect(await retryOnConflict(conflicting(12))).toBe(13);
  });

  it('stops when every attempt conflicts', async () => {
    await expect(retryOnConflict(conflicting(Infinity))).rejects.toThrow(ConcurrentModification);
  });

  it('does not retry any other error', async () => {
    let attempts = 0;
    const failing = () => {
      attempts += 1;
      return Promise.reject(new Error('no'));
    };
    await expect(retryOnConflict(failing)).rejects.toThrow('no');
    expect(attempts).toBe(1);
  });
});
