import type { IncomingHttpHeaders } from 'node:http';
import { validationError, type PublicOperation } from '@vaultsvc/contracts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** Set on a response that repeats that of an earlier request with the same key. */
export const IDEMPOTENT_REPLAYED = 'Idempotent-Replayed';

/** Visible ASCII: a key is compared as bytes. */
const KEY = /^[!-~]{1,255}$/;

/** The key of a request to an operation that accepts one (OPEN-67). Throws VALIDATION_ERROR. */
export function readIdempotencyKey(
  { idempotent }: PublicOperation,
  headers: IncomingHttpHeaders,
): string | undefined {
  const key = headers['idempotency-key'];
  if (idempotent === undefined || key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw validationError({
    field: IDEMPOTENCY_KEY,
    message: `${IDEMPOTENCY_KEY} must be 1 to 255 visible ASCII characters`,
  });
}
