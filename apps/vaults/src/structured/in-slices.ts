import { setImmediate } from 'node:timers/promises';

/** Seals of small values in about 10 ms. */
const TURN_MAX = 100;

/** Work on up to 10,000 things, a slice at a time: between two of them the process turns to what else is waiting. */
export async function* inTurns<T>(things: readonly T[]): AsyncGenerator<readonly T[]> {
  for (const slice of slicesOf(things, TURN_MAX)) {
    yield slice;
    await setImmediate();
  }
}

/** Of at most `size` things each, in their order. */
export function* slicesOf<T>(things: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < things.length; start += size) yield things.slice(start, start + size);
}
