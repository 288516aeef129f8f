import type { OpenedSession, SignInSession } from '@vaultsvc/contracts/auth';
import { ApiError } from '../../page-client/api-error.js';
import { dataOf, isUnauthorized, send, TIMEOUT_MS } from '../../page-client/api-request.js';
import type { AuthorizationGrant } from './sign-in.js';

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
