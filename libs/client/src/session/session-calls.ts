import { ApiError, ConnectionError } from '../api-error.js';
import type { Schema } from '../client-types.js';
import { RedirectError, sendDirectly } from '../redirect-error.js';

/** The answer to a call that opens or renews a session. `refresh_token` is absent in browsers. */
export type OpenedSession = Pick<Schema<'RegisteredSession'>, 'access_token' | 'refresh_token'>;

/** Settings of the calls that open, renew and end a session. */
export interface SessionCallOptions {
  /** The origin of the API. */
  readonly url: string;
  /** A replacement of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The API gives up a call after 10 s; a repetition after 12 s is in time for the 30 s in which it is no replay. */
const TIMEOUT_MS = 12_000;

/** Sends a call of a session, repeated once at once if there is no clear response (docs/sessions.md). */
export async function callSession<T>(
  { url, fetch: send = fetch }: SessionCallOptions,
  path: string,
  body: object,
  init: RequestInit,
): Promise<T> {
  const attempt = () => attemptOf<T>(send, new Request(new URL(path, url), requestOf(body, init)));
  try {
    return await attempt();
  } catch (error) {
    const isClear = (error instanceof ApiError && error.status < 500) || error instanceof RedirectError;
    if (isClear) throw error;
    return attempt();
  }
}

function requestOf(body: object, { headers, ...init }: RequestInit): RequestInit {
  return {
    ...init,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
}

async function attemptOf<T>(send: (request: Request) => Promise<Response>, request: Request): Promise<T> {
  const response = await sendDirectly(send, request).catch((error: unknown) => {
    throw error instanceof RedirectError ? error : new ConnectionError(error, request.url);
  });
  if (response.status === 204) return undefined as T;
  const answer = (await response.json().catch(() => undefined)) as { data?: T } | undefined;
  if (!response.ok || answer?.data === undefined) throw ApiError.of(response, answer);
  return answer.data;
}

/** Whether the API says that there is no session any more. A proxy that answers with 401 does not know. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'UNKNOWN';
}
