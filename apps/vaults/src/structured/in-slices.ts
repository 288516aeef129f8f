import { setImmediate } from 'node:timers/promises';

/** Seals of small values in about 10 ms. */
const SLICE_MAX = 500;

/** Work on up to 10,000 things, a slice at a time: between two of them the process turns to what else is waiting. */
export async function* inSlices<T>(things: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < things.length; start += SLICE_MAX) {
    if (start > 0) await setImmediate();
    yield things.slice(start, start + SLICE_MAX);
  }
}
