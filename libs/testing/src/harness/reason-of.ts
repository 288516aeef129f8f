import { AppError } from '@vaultsvc/contracts';

/** The reason of a refused call, or `none` if it succeeded. Throws errors that are no `AppError`. */
export function reasonOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(() => 'none', readReason);
}

/** The reason of an `AppError`; throws any other error. */
export function readReason(error: unknown): string {
  if (error instanceof AppError) return error.reason;
  throw error;
}
