import { setTimeout as delay } from 'node:timers/promises';

const ROUNDS_MAX = 300;
const LEAD_STEPS = 10;

/** Starts two actions of one round, each after its delay. */
export type StartBoth = <A, B>(first: () => Promise<A>, second: () => Promise<B>) => Promise<[A, B]>;

/**
 * Runs a race at least `rounds` times, and until each expected outcome has been seen; `contend` returns the outcome of its
 * round. The lead of one action over the other varies from round to round, and widens: on a machine of any speed, each of
 * them wins some rounds.
 * @throws when an outcome has not been seen within 300 rounds, or a round has an unexpected outcome
 */
export async function raceUntilSeen(
  outcomes: readonly string[],
  rounds: number,
  contend: (startBoth: StartBoth) => Promise<string>,
): Promise<void> {
  const missing = new Set(outcomes);
  for (let round = 0; round < rounds || missing.size > 0; round++) {
    if (round === ROUNDS_MAX) throw new Error(`not seen in ${ROUNDS_MAX} rounds: ${[...missing].join(', ')}`);
    const outcome = await contend(startBothIn(round));
    if (!outcomes.includes(outcome)) throw new Error(`round ${round} ended with ${outcome}`);
    missing.delete(outcome);
  }
}

function startBothIn(round: number): StartBoth {
  const width = 2 * LEAD_STEPS + 1;
  const leadMs = ((round % width) - LEAD_STEPS) * (1 + Math.floor(round / width));
  return (first, second) => Promise.all([startAfter(-leadMs, first), startAfter(leadMs, second)]);
}

async function startAfter<T>(ms: number, act: () => Promise<T>): Promise<T> {
  if (ms > 0) await delay(ms);
  return act();
}
