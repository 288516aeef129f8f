import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Tampered } from '../errors.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { KmsUnavailable } from './kms-errors.js';

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 100;

/** AWS's words for a ciphertext, context or key that do not belong together. */
const REFUSED_CIPHERTEXT = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** AWS's words for "not now": worth another attempt. Everything else that KMS itself says is final. */
const PASSING = new Set([
  'ThrottlingException',
  'LimitExceededException',
  'KMSInternalException',
  'DependencyTimeoutException',
  'KeyUnavailableException',
]);

/**
 * Makes up to three attempts with a random pause between them, and gives every failure one of two names: `Tampered`
 * when the ciphertext was refused, else `KmsUnavailable`.
 */
export async function withRetries<T>(breaker: CircuitBreaker, attempt: () => Promise<T>): Promise<T> {
  // Asked once per call, not per attempt: a call that was let in may outlive a short outage by its retries.
  if (!breaker.admits()) throw new KmsUnavailable('CircuitOpen');
  for (let number = 1; ; number += 1) {
    try {
      const answer = await attempt();
      breaker.succeed();
      return answer;
    } catch (error) {
      const failure = judge(error, breaker);
      if (!failure.isPassing || number === ATTEMPTS_MAX) throw failure.error;
    }
    // Full jitter, so that callers who failed together do not come back together.
    await delay(randomInt(PAUSE_MS * 2 ** (number - 1)));
  }
}

/** An answer of KMS, even a refusal, shows that it is there; only "not now" and silence count as failures. */
function judge(error: unknown, breaker: CircuitBreaker): { isPassing: boolean; error: Error } {
  const { reason, isAnswer } = describe(error);
  const isPassing = !isAnswer || PASSING.has(reason);
  if (isPassing) breaker.fail();
  else breaker.succeed();
  return { isPassing, error: REFUSED_CIPHERTEXT.has(reason) ? new Tampered() : new KmsUnavailable(reason) };
}

// The SDK's own message may repeat parts of the request, so only its code travels on.
function describe(error: unknown): { reason: string; isAnswer: boolean } {
  if (!(error instanceof Error)) return { reason: 'Unknown', isAnswer: false };
  const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  const isAnswer = httpStatusCode !== undefined && httpStatusCode < 500;
  const code = (error as NodeJS.ErrnoException).code;
  return { reason: typeof code === 'string' ? code : error.name, isAnswer };
}
