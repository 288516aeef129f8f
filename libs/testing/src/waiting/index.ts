import { setTimeout as delay } from 'node:timers/promises';

/** Seconds in which whatever an event, a restart or a job brings about has happened on a busy machine too. */
const PATIENCE_SECONDS = 20;

/**
 * Reads until the value is as wished, and gives it: for what comes about in its own time.
 * @throws with the value that was seen last
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  holds: (value: T) => boolean,
  seconds = PATIENCE_SECONDS,
): Promise<T> {
  const end = Date.now() + seconds * 1_000;
  let value = await read();
  while (!holds(value)) {
    if (Date.now() > end) throw new Error(`not so within ${seconds} s; last seen: ${JSON.stringify(value)}`);
    await delay(25);
    value = await read();
  }
  return value;
}

/** What an act gave, and the epoch seconds in which it began and ended: a moment that it tells lies between them. */
export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; from: number; to: number }> {
  const from = Math.floor(Date.now() / 1_000);
  const result = await act();
  return { result, from, to: Math.floor(Date.now() / 1_000) };
}

/** What an act gave that took less than so many seconds. A slower one tells nothing of a limit, and is done again. */
export async function inLessThan<T>(seconds: number, act: () => Promise<T>): Promise<T> {
  for (;;) {
    const begun = performance.now();
    const result = await act();
    if (performance.now() - begun < seconds * 1_000) return result;
  }
}

/** Waits until this is true. What cannot be asked yet, because a server is away, is not true yet. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  await eventually(() => holds().catch(() => false), Boolean);
}
