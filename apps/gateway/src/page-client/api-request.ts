import { ApiError } from './api-error.js';

/** The API gives up a call after 10 s; a repeated refresh is in time for the 30 s in which it is no replay (docs/sessions.md). */
export const TIMEOUT_MS = 12_000;
const ATTEMPTS_MAX = 5;

/** Sends a request, again after a second where the API could not count it; such a request had no effect (ENV-36). */
export async function send(path: string, request: RequestInit, attempt = 1): Promise<Response> {
  const response = await fetch(path, request).catch((error: unknown) => {
    throw isAbort(error) ? error : ApiError.noResponse();
  });
  if (response.ok) return response;
  const error = ApiError.of(response, await response.json().catch(() => undefined));
  if (!error.isMomentary || attempt === ATTEMPTS_MAX) throw error;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return send(path, request, attempt + 1);
}

/** The `data` of the envelope. A response that breaks off counts as none. */
export async function dataOf<T>(response: Response): Promise<T> {
  const { data } = (await response.json().catch(() => ({}))) as { data?: T };
  if (data === undefined) throw ApiError.noResponse();
  return data;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
