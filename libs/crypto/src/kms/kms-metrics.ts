import { Counter, Gauge } from 'prom-client';

/** Attempts to reach KMS. `answered`: it replied, also with a refusal; `failed`: it did not, or throttled; `withheld`: the breaker is open. */
export const attempts = new Counter({
  name: 'vaultsvc_kms_attempts_total',
  help: 'Attempts to call KMS, by outcome: answered, failed, withheld (circuit breaker).',
  labelNames: ['outcome'],
});

/** Failed calls, denied ones included. */
export const failedCalls = new Counter({
  name: 'vaultsvc_kms_failed_calls_total',
  help: 'Calls of KMS that failed after their retries, or were denied.',
});

/** Open circuit breakers of the process. */
export const openBreakers = new Gauge({
  name: 'vaultsvc_kms_breaker_open',
  help: 'Circuit breakers of KMS that are open: calls fail at once.',
});
