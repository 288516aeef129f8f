import { ApiError, ConnectionError } from '@vaultsvc/client';
import { commonTexts } from '../texts/common.js';

/** The sentence for an error; a bug of the application has none of its own. */
export function errorText(error: unknown): string {
  if (error instanceof ConnectionError) return commonTexts.noConnection;
  return error instanceof ApiError ? refusalText(error) : commonTexts.bug;
}

function refusalText({ status, message, fields, requestId, retryAfter }: ApiError): string {
  if (status === 401) return commonTexts.signedOut;
  if (status === 429) return commonTexts.tooMany(retryAfter);
  if (status >= 500) return commonTexts.serverFailed(requestId);
  return fields[0]?.message ?? message;
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
