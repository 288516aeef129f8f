import { setTimeout as delay } from 'node:timers/promises';

/** Seconds within which the effect of an event, a restart or a job is visible, on a busy machine too. */
const TIMEOUT_SECONDS = 45;

/**
 * Polls a value until it satisfies the condition, and returns it.
 * @throws with the last value when the condition does not hold in time
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  holds: (value: T) => boolean,
  seconds = TIMEOUT_SECONDS,
): Promise<T> {
  const end = Date.now() + seconds * 1_000;
  let value = await read();
  while (!holds(value)) {
    if (Date.now() > end)
      throw new Error(`the condition did not hold within ${seconds} s; last value: ${JSON.stringify(value)}`);
    await delay(25);
    value = await read();
  }
  return value;
}

/** The result of an action and the epoch seconds of its start and end: a time that the action reports lies between them. */
export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; from: number; to: number }> {
  const from = Math.floor(Date.now() / 1_000);
  const result = await act();
  return { result, from, to: Math.floor(Date.now() / 1_000) };
}

/** Repeats an action until it finishes within so many seconds, and returns its result: a slower one proves nothing of a limit. */
export async function repeatUntilFasterThan<T>(seconds: number, act: () => Promise<T>): Promise<T> {
  for (;;) {
    const start = performance.now();
    const result = await act();
    if (performance.now() - start < seconds * 1_000) return result;
  }
}

/**
 * Repeats an action until it begins and ends in one minute of the clock, and returns its result: the windows of limits begin
 * with minutes.
 */
export async function withinOneMinute<T>(act: (attempt: number) => Promise<T>): Promise<T> {
  const minute = () => Math.floor(Date.now() / 60_000);
  for (let attempt = 0; ; attempt++) {
    const began = minute();
    const result = await act(attempt);
    if (minute() === began) return result;
  }
}

/** Waits until the condition holds. A rejection, for example because a server is down, counts as not yet. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  await eventually(() => holds().catch(() => false), Boolean);
}

/** As `Promise.all` over `map`, a few at a time: of hundreds at once the last would wait beyond the deadline of a call. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  atOnce = 8,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
