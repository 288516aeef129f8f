import { setImmediate } from 'node:timers/promises';
import { assertInTime, Lane } from '../lane.js';

/** Seals of small values in about 10 ms. */
const TURN_MAX = 100;

/** Those who read names do not wait for those who write values. */
export const lanes = { opening: new Lane(), sealing: new Lane() } as const;

/**
 * Work on up to 10,000 things, a slice at a time: between two of them the process turns to what else is waiting. More than
 * a slice goes through a lane. Throws `Busy` when it is not done in time.
 */
export async function* inTurns<T>(
  things: readonly T[],
  lane: Lane,
  deadlineMs: number,
): AsyncGenerator<readonly T[]> {
  if (things.length <= TURN_MAX) {
    yield things;
    return;
  }
  await lane.enter(things.length, deadlineMs);
  try {
    for (const slice of slicesOf(things, TURN_MAX)) {
      assertInTime(deadlineMs);
      yield slice;
      await setImmediate();
    }
  } finally {
    lane.leave();
  }
}

/** Of at most `size` things each, in their order. */
export function* slicesOf<T>(things: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < things.length; start += size) yield things.slice(start, start + size);
}
