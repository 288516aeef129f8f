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

/** Waits until this is true. What cannot be asked yet, because a server is away, is not true yet. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  await eventually(() => holds().catch(() => false), Boolean);
}
