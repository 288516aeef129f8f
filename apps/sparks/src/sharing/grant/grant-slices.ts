import { setTimeout as delay } from 'node:timers/promises';

/** Grants of which sealing takes 2 ms of the process, and inserting 3 ms of PostgreSQL. */
const SLICE = 25;
/** As long as a slice takes, or longer: a send uses half of what a process, or a connection, can do. */
const PAUSE_MS = 5;

/**
 * The grants of a send in slices, with a pause before each but the first. 500 grants in one piece would hold up the creates and
 * burns of other accounts for as long as they take; with pauses they only share the machine with them.
 */
export async function* slicesOf<T>(grants: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < grants.length; start += SLICE) {
    if (start > 0) await delay(PAUSE_MS);
    yield grants.slice(start, start + SLICE);
  }
}
