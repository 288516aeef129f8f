import { setTimeout as delay } from 'node:timers/promises';

/** Reads until the value is as wished; for what an event brings about in its own time. Fails after 15 s. */
export async function eventually<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  seconds = 15,
): Promise<T> {
  const until = Date.now() + seconds * 1_000;
  let value = await read();
  while (!holds(value)) {
    if (Date.now() > until)
      throw new Error(`not so within ${seconds} s; last seen: ${JSON.stringify(value)}`);
    await delay(50);
    value = await read();
  }
  return value;
}
