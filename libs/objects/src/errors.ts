import { Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

/** Base of all errors that the object store throws. */
export abstract class ObjectsError extends Error {}

/** No object has this key. */
export class NotFound extends ObjectsError {
  override readonly name = 'NotFound';

  constructor() {
    super('No object has this key');
  }
}

/** The content, or the stored object, has another length than stated. Nothing of a content is kept. */
export class WrongLength extends ObjectsError {
  override readonly name = 'WrongLength';

  /** Both in bytes. `actual` counts the bytes until the error; a content may be longer. */
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`Expected ${expected} bytes, saw ${actual}`);
  }
}

/** The stream of the content failed, which is the cause, or was destroyed. Nothing of it is kept. */
export class Interrupted extends ObjectsError {
  override readonly name = 'Interrupted';

  constructor(cause: unknown) {
    super('The content was interrupted', { cause });
  }
}

/** The store is down, slow or full, or refuses access. The cause has been logged; answer 500 without details. */
export class Unavailable extends ObjectsError {
  override readonly name = 'Unavailable';

  /** `reason`: the code of the system's or the store's error; never a key, a path or a credential. */
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`The object store is unavailable: ${reason}`, { cause });
  }
}

const logger = new Logger('objects');

const unavailable = new Counter({
  name: 'vaultsvc_objects_unavailable_total',
  help: 'Operations on the object store that failed because of the store.',
  labelNames: ['operation'],
});

/** Converts a failure of the store to Unavailable, counts it and logs it; returns an ObjectsError unchanged. */
export function toUnavailable(operation: string, cause: unknown): ObjectsError {
  if (cause instanceof ObjectsError) return cause;
  const reason = codeOf(cause);
  unavailable.inc({ operation });
  logger.warn({ msg: 'the object store failed', operation, reason, err: cause });
  return new Unavailable(reason, cause);
}

/** Converts a failure of a content's stream to Interrupted; returns an ObjectsError unchanged. */
export function toInterrupted(cause: unknown): ObjectsError {
  return cause instanceof ObjectsError ? cause : new Interrupted(cause);
}

/** An error for a failure that the store does not report by an error, with the code for `Unavailable.reason`. */
export function codedError(code: string): Error {
  return Object.assign(new Error(`The store: ${code}`), { code });
}

function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return [code, name].find((word) => typeof word === 'string') ?? 'Unknown';
}
