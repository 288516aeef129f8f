import { setTimeout as delay } from 'node:timers/promises';

/** Where each attempt loses as often as not, the odds of losing all of them are one in a million. */
const ATTEMPTS_MAX = 20;

/** Multiplied by the number of attempts: callers that keep colliding fall out of step. */
const BACKOFF_MS = 10;

/**
 * An optimistic check failed: another caller has changed the rows that this attempt read. Thrown inside the transaction,
 * which rolls back.
 */
export class ConcurrentModification extends Error {
  override readonly name = 'ConcurrentModification';

  constructor() {
    super('the rows were changed by another caller');
  }
}

/**
 * Runs an attempt again, on the state it then finds, for as long as it ends with `ConcurrentModification`: 20 times at most,
 * with a random backoff. Attempts must observe their caller's deadline themselves.
 * @throws any other error of the attempt at once; the last `ConcurrentModification` after 20 attempts
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConcurrentModification) || attempts === ATTEMPTS_MAX) throw error;
    }
    await delay(Math.random() * BACKOFF_MS * attempts);
  }
}
