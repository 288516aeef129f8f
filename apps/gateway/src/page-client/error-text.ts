import { ApiError, ConnectionError } from '@vaultsvc/client';
import { waitText } from './format.js';

/** The sentence for an error; a bug of this script has none of its own. */
export function textOf(error: unknown): string {
  if (error instanceof ConnectionError) return 'There was no answer. Check your internet connection.';
  return error instanceof ApiError ? textOfRefusal(error) : 'Something went wrong on this page.';
}

function textOfRefusal({ status, message, fields, requestId, retryAfter }: ApiError): string {
  if (status === 401) return 'Your session has ended.';
  if (status === 429)
    return `Too many requests. Try again in ${retryAfter ? waitText(retryAfter) : 'a minute'}.`;
  if (status >= 500)
    return `Something went wrong on our side. The request was ${requestId ?? 'not numbered'}.`;
  return fields[0]?.message ?? message;
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
