import { setTimeout as delay } from 'node:timers/promises';

const ROUNDS_MAX = 300;
const SWING = 10;

/** Two that are begun in one round: each when its turn has come. */
export type Together = <A, B>(first: () => Promise<A>, second: () => Promise<B>) => Promise<[A, B]>;

/**
 * Lets two contend at least `rounds` times, and on until all of these outcomes have been seen; `contend` gives the
 * outcome of its round. Who begins first, and by how many milliseconds, swings from one to the other, further with every
 * swing: on a machine of any speed each of them wins some.
 * @throws when an outcome has not come in 300 rounds, or one that was not expected has
 */
export async function raceUntilSeen(
  outcomes: readonly string[],
  rounds: number,
  contend: (together: Together) => Promise<string>,
): Promise<void> {
  const missing = new Set(outcomes);
  for (let round = 0; round < rounds || missing.size > 0; round++) {
    if (round === ROUNDS_MAX) throw new Error(`not seen in ${ROUNDS_MAX} rounds: ${[...missing].join(', ')}`);
    const outcome = await contend(togetherIn(round));
    if (!outcomes.includes(outcome)) throw new Error(`round ${round} ended with ${outcome}`);
    missing.delete(outcome);
  }
}

function togetherIn(round: number): Together {
  const width = 2 * SWING + 1;
  const leadMs = ((round % width) - SWING) * (1 + Math.floor(round / width));
  return (first, second) => Promise.all([after(-leadMs, first), after(leadMs, second)]);
}

async function after<T>(ms: number, act: () => Promise<T>): Promise<T> {
  if (ms > 0) await delay(ms);
  return act();
}
