import { AppError, Busy, commonReasons, type Operation } from '@vaultsvc/contracts';
import { ConnectionPoolFull, isLockTimeout } from '@vaultsvc/database';

/** The error that a caller gets: a declared reason unchanged, any other error as INTERNAL_ERROR with its cause. */
export function declaredError(op: Operation, thrown: unknown): AppError {
  const isFull = thrown instanceof ConnectionPoolFull;
  const isBusy = isFull || isLockTimeout(thrown);
  const error = isBusy ? new Busy(isFull ? thrown.size : 1, { cause: thrown }) : thrown;
  if (!isDeclared(op, error)) return new AppError('INTERNAL_ERROR', undefined, { cause: error });
  return error.status < 500 ? error : new AppError(error.reason, undefined, { cause: error });
}

/**
 * BUSY reaches callers of the API only; for internal operations it is INTERNAL_ERROR, which services retry. An internal operation
 * on the way of every call declares BUSY, and its caller passes it on.
 */
function isDeclared(op: Operation, error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  if (error instanceof Busy && op.errors?.includes('BUSY')) return true;
  if (error.reason === 'BUSY') return op.access !== 'internal';
  return commonReasons.has(error.reason) || !!op.errors?.includes(error.reason);
}
