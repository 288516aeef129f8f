import { ApiError, ConnectionError } from '@vaultsvc/client';
import { commonTexts } from '../texts/common.js';
import { PartNotLoaded } from './load-part.js';

/** The sentence for an error; a bug of the application has none of its own. */
export function errorText(error: unknown): string {
  if (error instanceof ConnectionError) return commonTexts.noConnection;
  if (error instanceof PartNotLoaded) return commonTexts.notLoaded;
  return error instanceof ApiError ? refusalText(error) : commonTexts.bug;
}

function refusalText({ status, code, message, details, fields, requestId, retryAfter }: ApiError): string {
  if (code === 'QUOTA_EXCEEDED') return commonTexts.poolFull(details['resource']);
  if (code === 'PLAN_REQUIRED') return commonTexts.noPlan;
  if (status === 401) return commonTexts.signedOut;
  if (status === 429) return commonTexts.tooMany(retryAfter);
  if (status >= 500) return commonTexts.serverFailed(requestId);
  return fields[0]?.message ?? message;
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether billing is where the person goes on: a pool is full, or the plan not active. */
export function isPaymentRequired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 402;
}
