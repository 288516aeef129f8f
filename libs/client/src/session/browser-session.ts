import { callSession, isSignedOut, type OpenedSession, type SessionCallOptions } from './session-calls.js';
import type { Session } from './session.js';

const COOKIE_MODE: RequestInit = { credentials: 'include', headers: { 'X-VK-Client': 'web' } };

/**
 * The session of a page. Its refresh token is in an HttpOnly cookie, its access token in this object only. Calls that change
 * the cookie hold a lock that all tabs of the origin share, until the response has arrived.
 */
export class BrowserSession implements Session {
  #accessToken: string | undefined;
  #renewing: Promise<string | undefined> | undefined;

  constructor(private readonly options: SessionCallOptions) {}

  /** Signs in with the code of the identity provider. */
  signIn(grant: { readonly code: string; readonly code_verifier: string }): Promise<OpenedSession> {
    return this.#change('/v1/auth/identity/token', grant);
  }

  /** Resumes the session of the cookie, when a page is loaded; undefined when nobody is signed in. */
  async accessToken(): Promise<string | undefined> {
    return this.#accessToken ?? this.#renew();
  }

  async renewAfter(refused: string): Promise<string | undefined> {
    return this.#accessToken === refused ? this.#renew() : this.accessToken();
  }

  /** Calls `complete-signup` or `accept`, which replace the session: the path under the API's origin. */
  replace<T extends OpenedSession>(path: string, body: object = {}): Promise<T> {
    return this.#change<T>(path, body);
  }

  /** Signs out. */
  async end(): Promise<void> {
    await this.#locked(() => callSession(this.options, '/v1/auth/logout', {}, COOKIE_MODE));
    this.#accessToken = undefined;
  }

  /** All calls of this page that need a new access token wait for the same renewal. */
  #renew(): Promise<string | undefined> {
    this.#renewing ??= this.#change('/v1/auth/refresh', {})
      .then(({ access_token }) => access_token)
      .catch((error: unknown) => this.#signedOut(error))
      .finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  #signedOut(error: unknown): undefined {
    if (!isSignedOut(error)) throw error;
    this.#accessToken = undefined;
    return undefined;
  }

  #change<T extends OpenedSession>(path: string, body: object): Promise<T> {
    return this.#locked(async () => {
      const headers: Record<string, string> = { ...(COOKIE_MODE.headers as Record<string, string>) };
      if (this.#accessToken !== undefined) headers.Authorization = `Bearer ${this.#accessToken}`;
      const opened = await callSession<T>(this.options, path, body, { ...COOKIE_MODE, headers });
      this.#accessToken = opened.access_token;
      return opened;
    });
  }

  /** Without `navigator.locks` (no secure context) only this page is serialized. */
  #locked<T>(change: () => Promise<T>): Promise<T> {
    const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
    return locks ? locks.request('vk-session', change) : this.#queued(change);
  }

  #last: Promise<unknown> = Promise.resolve();

  #queued<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#last.then(change, change);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The part of the Web Locks API that is used; Node's types do not have it. */
interface Locks {
  request<T>(name: string, change: () => Promise<T>): Promise<T>;
}
