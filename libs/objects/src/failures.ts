import { Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Interrupted, ObjectsError, Unavailable } from './errors.js';

const logger = new Logger('objects');

const unavailable = new Counter({
  name: 'vaultsvc_objects_unavailable_total',
  help: 'Operations on the object store that failed for a reason of the store.',
  labelNames: ['operation'],
});

/** Names a failure of the store, counts it and logs it once; an error of ours passes. */
export function storeFailure(operation: string, cause: unknown): ObjectsError {
  if (cause instanceof ObjectsError) return cause;
  const reason = codeOf(cause);
  unavailable.inc({ operation });
  logger.warn({ msg: 'the object store failed', operation, reason, err: cause });
  return new Unavailable(reason, cause);
}

/** What came over the content of a put, unless it was the store. */
export function contentFailure(cause: unknown): ObjectsError {
  return cause instanceof ObjectsError ? cause : new Interrupted(cause);
}

/** A failure of the store that shows in no error of its own. */
export function refusal(code: string): Error {
  return Object.assign(new Error(`The store: ${code}`), { code });
}

function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return [code, name].find((word) => typeof word === 'string') ?? 'Unknown';
}
