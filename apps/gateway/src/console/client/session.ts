import type { OpenedSession, SignInSession } from '@vaultsvc/contracts/auth';
import { ApiError } from './api-error.js';
import type { AuthorizationGrant } from './sign-in.js';

/** The API gives up a call after 10 s; a repeated refresh is in time for the 30 s in which it is no replay (docs/sessions.md). */
const TIMEOUT_MS = 12_000;
const ATTEMPTS_MAX = 5;

/**
 * The session of the person. Its access token is in this object only, its refresh token in the HttpOnly cookie. All methods
 * reject with ApiError.
 */
export class Session {
  #accessToken: string | undefined;
  #refreshing: Promise<OpenedSession> | undefined;

  /** `onEnded` is called when a request shows that the session has ended. */
  constructor(private readonly onEnded: () => void) {}

  /** Opens the session of a sign-in (OPEN-65). */
  open(grant: AuthorizationGrant): Promise<SignInSession> {
    return this.#change('/v1/auth/identity/token?redirect=console', grant);
  }

  /** Resumes the session of the cookie, or renews the access token; concurrent callers share one request. 401: there is none. */
  refresh(): Promise<OpenedSession> {
    this.#refreshing ??= this.#refreshOnce().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async end(): Promise<void> {
    await this.#change('/v1/auth/logout', {});
    this.#accessToken = undefined;
  }

  /** Reads the `data` of an operation. */
  async read<T>(path: string): Promise<T> {
    const response = await this.#authorized(path, AbortSignal.timeout(TIMEOUT_MS));
    return dataOf<T>(response);
  }

  /** Starts to read an answer that is a stream. */
  stream(path: string, signal: AbortSignal): Promise<Response> {
    return this.#authorized(path, signal);
  }

  /** Sends a GET; once more with a new access token, where the old one has expired. */
  async #authorized(path: string, signal: AbortSignal): Promise<Response> {
    try {
      return await this.#get(path, signal);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
    }
    await this.refresh().catch((error: unknown) => {
      if (isUnauthorized(error)) this.onEnded();
      throw error;
    });
    return this.#get(path, signal);
  }

  #get(path: string, signal: AbortSignal): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.#accessToken}` };
    return send(path, { headers, signal, cache: 'no-store' });
  }

  /** Without a clear response the token may be used; the API accepts it again at once, and only then. */
  async #refreshOnce(): Promise<OpenedSession> {
    try {
      return await this.#change('/v1/auth/refresh', {});
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0 && error.status < 500) throw error;
      return this.#change('/v1/auth/refresh', {});
    }
  }

  /**
   * Sends a call that changes the cookie, under a lock that all tabs share: a late response must not put an older cookie into
   * the jar (docs/sessions.md).
   */
  #change<T extends Partial<OpenedSession>>(path: string, body: object): Promise<T> {
    return navigator.locks.request('vk-session', async () => {
      const response = await send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-VK-Client': 'web' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const session = response.status === 204 ? ({} as T) : await dataOf<T>(response);
      this.#accessToken = session.access_token;
      return session;
    }) as Promise<T>;
  }
}

/** Sends a request, again after a second where the API could not count it; such a request had no effect (ENV-36). */
async function send(path: string, request: RequestInit, attempt = 1): Promise<Response> {
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
async function dataOf<T>(response: Response): Promise<T> {
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
