import { describe, expect, it } from '@jest/globals';
import { Overtaken, untilNotOvertaken } from './overtaken.js';

/** An attempt that others overtake so many times. */
function overtaken(times: number) {
  let attempts = 0;
  return () => {
    attempts += 1;
    return attempts > times ? Promise.resolve(attempts) : Promise.reject(new Overtaken());
  };
}

describe('what others overtake', () => {
  it('STR-06 ENV-30: is begun anew, a dozen times where a dozen were faster: their haste is no 500', async () => {
    expect(await untilNotOvertaken(overtaken(12))).toBe(13);
  });

  it('is given up where no attempt ever succeeds', async () => {
    await expect(untilNotOvertaken(overtaken(Infinity))).rejects.toThrow(Overtaken);
  });

  it('is not begun anew for another failure', async () => {
    let attempts = 0;
    const failing = () => {
      attempts += 1;
      return Promise.reject(new Error('no'));
    };
    await expect(untilNotOvertaken(failing)).rejects.toThrow('no');
    expect(attempts).toBe(1);
  });
});
