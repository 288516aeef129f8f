import { ConnectionError, retryAfterOf } from './api-error.js';
import { delay } from './delay.js';

/** How often and how long failed calls are repeated. */
export interface RetryOptions {
  /** Repetitions after the first attempt; 4 by default, 0 turns them off. */
  readonly attempts?: number;
  /** The longest wait in seconds, 60 by default. A longer `Retry-After` is returned as an error at once. */
  readonly maxSeconds?: number;
  /** Called before each wait, so that a program can say why it waits. */
  readonly onWait?: (wait: RetryWait) => void;
}

/** A wait before a call is repeated. */
export interface RetryWait {
  /** Of the call, from 1. */
  readonly attempt: number;
  readonly seconds: number;
  /** The status of the answer; undefined if there was none. */
  readonly status?: number;
  /** The error if no answer came. */
  readonly error?: ConnectionError;
}

/** Which failures of a call may be repeated. */
export interface RetryPolicy {
  /** A repetition has the effect of one call: it only reads, is a PUT or DELETE, or has an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
  readonly hasKey: boolean;
  /** Names the server in the error. */
  readonly url?: string;
}

/** Gateways and proxies answer so while a backend restarts. */
const UNAVAILABLE = new Set([502, 503, 504]);

/**
 * Sends a request until its response is final: after `Retry-After` where there is one, otherwise after 0.5 s, 1 s, 2 s, …,
 * each shortened at random by up to a half, so that clients do not return together.
 * @param send makes one attempt
 * @throws ConnectionError
 */
export async function withRetries(
  send: () => Promise<Response>,
  policy: RetryPolicy,
  { attempts = 4, maxSeconds = 60, onWait }: RetryOptions,
  signal?: AbortSignal,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOf(send, policy.url, signal);
    const seconds = secondsUntilRetry(outcome, policy, attempt);
    if (attempt >= attempts || seconds === undefined || seconds > maxSeconds) return finalOf(outcome);
    onWait?.({ attempt: attempt + 1, seconds, ...reasonOf(outcome) });
    if (outcome instanceof Response) await outcome.body?.cancel();
    await delay(seconds * 1_000, signal);
  }
}

async function attemptOf(
  send: () => Promise<Response>,
  url: string | undefined,
  signal?: AbortSignal,
): Promise<Response | ConnectionError> {
  try {
    return await send();
  } catch (error) {
    // The caller aborts, or `fetch` cannot reach the server, which it reports as a TypeError.
    if (signal?.aborted || !(error instanceof TypeError || isTimeout(error))) throw error;
    return new ConnectionError(error, url);
  }
}

function reasonOf(outcome: Response | ConnectionError): Pick<RetryWait, 'status' | 'error'> {
  return outcome instanceof Response ? { status: outcome.status } : { error: outcome };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function finalOf(outcome: Response | ConnectionError): Response {
  if (outcome instanceof ConnectionError) throw outcome;
  return outcome;
}

/** Undefined for an outcome that is final. */
function secondsUntilRetry(
  outcome: Response | ConnectionError,
  policy: RetryPolicy,
  attempt: number,
): number | undefined {
  const own = Math.min(0.5 * 2 ** attempt, 30) * (1 - Math.random() / 2);
  if (outcome instanceof ConnectionError) return policy.isIdempotent ? own : undefined;
  if (!mayRetry(outcome, policy)) return undefined;
  const named = retryAfterOf(outcome);
  return named === undefined ? own : named + Math.random() / 2;
}

function mayRetry(response: Response, { isIdempotent, hasKey }: RetryPolicy): boolean {
  // The API refuses before it acts.
  if (response.status === 429) return true;
  // The first call with this key is still running.
  if (response.status === 409) return hasKey && retryAfterOf(response) !== undefined;
  return isIdempotent && UNAVAILABLE.has(response.status);
}
