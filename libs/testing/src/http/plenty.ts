import { setTimeout } from 'node:timers/promises';
import type { Answer } from './api.js';

/** The limit of test platforms, in operations a minute, at the least: no test comes near it. */
export const PLENTY = 100_000;

const ATTEMPTS_MAX = 5;

/**
 * Sends again what was refused by such a limit: there was nothing to count, the machine was too busy for Redis to answer
 * in time (ENV-36). A refusal comes before everything else, so nothing is done twice.
 */
export async function untilCounted(sendOnce: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendOnce();
    if (attempt === ATTEMPTS_MAX || !isUncounted(answer)) return answer;
    await setTimeout(Number(answer.headers['retry-after']) * 1_000);
  }
}

function isUncounted({ error }: Answer): boolean {
  const { limit = 0 } = (error?.details ?? {}) as { limit?: number };
  return error?.code === 'RATE_LIMIT_EXCEEDED' && limit >= PLENTY;
}
