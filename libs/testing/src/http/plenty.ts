import { setTimeout } from 'node:timers/promises';
import type { Answer } from './api.js';

/** The limit of test platforms, in operations a minute, at the least: no test comes near it. */
export const PLENTY = 100_000;

/** For gateways whose limits a test does not mean: none is met by accident. */
export const withoutLimits = {
  RATE_LIMIT_PER_MINUTE: String(PLENTY),
  RATE_LIMIT_PER_IP_PER_MINUTE: String(PLENTY),
};

const ATTEMPTS_MAX = 5;
/** What a limiter asks for that cannot count (OPEN-53). */
const UNCOUNTED_WAIT_SECONDS = 1;

/**
 * Sends again what was refused by such a limit: there was nothing to count, the machine was too busy for Redis to answer
 * in time (ENV-36). A refusal comes before everything else, so nothing is done twice.
 */
export function untilCounted(sendOnce: () => Promise<Answer>): Promise<Answer> {
  return sendWhile(sendOnce, isUncounted, ({ headers }) => Number(headers['retry-after']));
}

/** The same for what a spec sends and reads by itself; it says which answers are a 429, and sends to nothing limited. */
export function untilPassed<T>(sendOnce: () => Promise<T>, isRefused: (answer: T) => boolean): Promise<T> {
  return sendWhile(sendOnce, isRefused, () => UNCOUNTED_WAIT_SECONDS);
}

async function sendWhile<T>(
  sendOnce: () => Promise<T>,
  isRefused: (answer: T) => boolean,
  secondsToWait: (answer: T) => number,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendOnce();
    if (attempt === ATTEMPTS_MAX || !isRefused(answer)) return answer;
    await setTimeout(secondsToWait(answer) * 1_000);
  }
}

function isUncounted({ error }: Answer): boolean {
  const { limit = 0 } = (error?.details ?? {}) as { limit?: number };
  return error?.code === 'RATE_LIMIT_EXCEEDED' && limit >= PLENTY;
}
