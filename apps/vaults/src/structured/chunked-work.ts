import { setImmediate } from 'node:timers/promises';
import { assertBeforeDeadline, PrioritySemaphore } from '../priority-semaphore.js';

/** A chunk of small values is sealed in about 10 ms. */
const CHUNK_SIZE = 100;

/** Separate semaphores: callers that read names do not queue behind callers that write values. */
export const semaphores = { opening: new PrioritySemaphore(), sealing: new PrioritySemaphore() } as const;

/** Runs work on `size` items, at most 10,000; in the queue of the semaphore when they are more than a chunk. */
export function runQueued<T>(
  semaphore: PrioritySemaphore,
  size: number,
  deadlineMs: number,
  work: () => Promise<T>,
): Promise<T> {
  return size > CHUNK_SIZE ? semaphore.run(size, deadlineMs, work) : work();
}

/** Maps items in chunks and yields to the event loop between them. Throws `Busy` when the deadline is too near. */
export async function mapInChunks<T, R>(
  items: readonly T[],
  deadlineMs: number,
  map: (item: T) => R,
): Promise<R[]> {
  if (items.length <= CHUNK_SIZE) return items.map((item) => map(item));
  const mapped: R[] = [];
  for (const chunk of chunksOf(items, CHUNK_SIZE)) {
    assertBeforeDeadline(deadlineMs);
    for (const item of chunk) mapped.push(map(item));
    await setImmediate();
  }
  return mapped;
}

/** Consecutive chunks of at most `size` items. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
