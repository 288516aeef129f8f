import { AppError } from '@vaultsvc/contracts';

/** Why a call was refused, or `none` when it was not; an error that is no answer is thrown on. */
export function reasonOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(() => 'none', readReason);
}

/** The reason of an answered error; anything else is thrown on. */
export function readReason(error: unknown): string {
  if (error instanceof AppError) return error.reason;
  throw error;
}
