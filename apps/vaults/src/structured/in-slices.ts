import { setImmediate } from 'node:timers/promises';
import { assertInTime, Lane } from '../lane.js';

/** Seals of small values in about 10 ms. */
const TURN_MAX = 100;

/** Those who read names do not wait for those who write values. */
export const lanes = { opening: new Lane(), sealing: new Lane() } as const;

/** Work on up to 10,000 things: on more than a slice of them when it is its turn in the lane. Throws what that does. */
export function inLane<T>(lane: Lane, size: number, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  return size > TURN_MAX ? lane.run(size, deadlineMs, work) : work();
}

/**
 * What becomes of each, a slice at a time: between two of them the process turns to what else is waiting. Throws `Busy`
 * when it is not done in time.
 */
export async function mapInTurns<T, R>(
  things: readonly T[],
  deadlineMs: number,
  map: (thing: T) => R,
): Promise<R[]> {
  if (things.length <= TURN_MAX) return things.map((thing) => map(thing));
  const mapped: R[] = [];
  for (const slice of slicesOf(things, TURN_MAX)) {
    assertInTime(deadlineMs);
    for (const thing of slice) mapped.push(map(thing));
    await setImmediate();
  }
  return mapped;
}

/** Of at most `size` things each, in their order. */
export function* slicesOf<T>(things: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < things.length; start += size) yield things.slice(start, start + size);
}
