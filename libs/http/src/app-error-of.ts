import { HttpException } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';

/** What a caller may learn of any error. Nest's and Express' own errors carry their HTTP status; the rest is ours. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = statusOf(error);
  if (status === 404 || status === 405) return new AppError('NOT_FOUND');
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE');
  if (status >= 400 && status < 500) return new AppError('VALIDATION_ERROR');
  return new AppError('INTERNAL_ERROR', undefined, { cause: error });
}

/**
 * Only the two kinds that the framework throws. A `status` on anything else is somebody else's: an error of an HTTP client
 * carries what another server answered to us, which says nothing about our caller.
 */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  // Express' router, of a path parameter whose percent-encoding is broken.
  if (error instanceof URIError && 'status' in error && error.status === 400) return 400;
  return 500;
}
