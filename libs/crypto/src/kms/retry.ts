import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Tampered } from '../errors.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { failedCalls } from './kms-metrics.js';

/** KMS does not answer, throttles, or denies the request. The operation fails with 500 and stores nothing (ENT-17). */
export class KmsUnavailable extends Error {
  override readonly name = 'KmsUnavailable';

  /** `reason`: the error code of AWS or of the network; never a value of the request. */
  constructor(readonly reason: string) {
    super(`Key management is unavailable: ${reason}`);
    failedCalls.inc();
  }
}

const ATTEMPTS_MAX = 3;
const BACKOFF_MS = 100;

/** Error codes of AWS for a ciphertext that does not match the context or the key. */
const REFUSED_CIPHERTEXT = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** Transient error codes of AWS. All other errors in replies of KMS are final. */
const TRANSIENT = new Set([
  'ThrottlingException',
  'LimitExceededException',
  'KMSInternalException',
  'DependencyTimeoutException',
  'KeyUnavailableException',
]);

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
      const failure = classify(error, breaker);
      if (!failure.isTransient || number === ATTEMPTS_MAX) throw failure.error;
    }
    // Full jitter spreads the retries of calls that failed together.
    await delay(randomInt(BACKOFF_MS * 2 ** (number - 1)));
  }
}

/** Any final reply proves that KMS is up; only transient errors and missing replies count as failures. */
function classify(error: unknown, breaker: CircuitBreaker): { isTransient: boolean; error: Error } {
  const { reason, isReply } = describe(error);
  const isTransient = !isReply || TRANSIENT.has(reason);
  if (isTransient) breaker.fail();
  else breaker.succeed();
  return { isTransient, error: REFUSED_CIPHERTEXT.has(reason) ? new Tampered() : new KmsUnavailable(reason) };
}

// Only the code: the message of an SDK error may contain parts of the request.
function describe(error: unknown): { reason: string; isReply: boolean } {
  if (!(error instanceof Error)) return { reason: 'Unknown', isReply: false };
  const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  const isReply = httpStatusCode !== undefined && httpStatusCode < 500;
  const code = (error as NodeJS.ErrnoException).code;
  return { reason: typeof code === 'string' ? code : error.name, isReply };
}
