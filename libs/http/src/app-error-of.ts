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

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 500;
  if (error instanceof HttpException) return error.getStatus();
  return 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
