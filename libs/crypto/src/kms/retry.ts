import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Tampered } from '../errors.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { failedCalls } from './kms-metrics.js';
import { codeOf, ProviderFailure } from './provider/provider.js';

/** KMS does not answer, throttles, or denies the request. The operation fails with 500 and stores nothing (ENT-17). */
export class KmsUnavailable extends Error {
  override readonly name = 'KmsUnavailable';

  /** `reason`: the error code of the provider or of the network; never a value of the request. */
  constructor(readonly reason: string) {
    super(`Key management is unavailable: ${reason}`);
    failedCalls.inc();
  }
}

const ATTEMPTS_MAX = 3;
const BACKOFF_MS = 100;

/**
 * Makes up to three attempts with exponential backoff and full jitter.
 * @throws Tampered if KMS refuses the ciphertext
 * @throws KmsUnavailable for every other failure, and at once while the circuit breaker is open
 */
export async function retryTransient<T>(breaker: CircuitBreaker, attempt: () => Promise<T>): Promise<T> {
  // Once per call, not per attempt: the retries of an admitted call may outlast a short outage.
  if (!breaker.admits()) throw new KmsUnavailable('CircuitOpen');
  for (let number = 1; ; number += 1) {
    try {
      const answer = await attempt();
      breaker.succeed();
      return answer;
    } catch (error) {
      const failure = failureOf(error);
      // Any final reply proves that KMS is up; only transient errors and missing replies count as failures.
      if (failure.kind === 'transient') breaker.fail();
      else breaker.succeed();
      if (failure.kind === 'refused') throw new Tampered();
      if (failure.kind === 'final' || number === ATTEMPTS_MAX) throw new KmsUnavailable(failure.reason);
    }
    // Full jitter spreads the retries of calls that failed together.
    await delay(randomInt(BACKOFF_MS * 2 ** (number - 1)));
  }
}

function failureOf(error: unknown): ProviderFailure {
  return error instanceof ProviderFailure ? error : new ProviderFailure('transient', codeOf(error));
}
