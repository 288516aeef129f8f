import { callSession, isSignedOut, type OpenedSession, type SessionCallOptions } from './session-calls.js';
import { MemorySessionStore, type SessionStore, type SessionTokens } from './session-store.js';
import type { Session } from './session.js';

/** An access token is valid for an hour; it is renewed five minutes earlier. */
const RENEW_AFTER_MS = 55 * 60_000;

/**
 * The session of a program that keeps its refresh token itself. A refresh token is single-use, so one renewal runs at a time:
 * within the process by a promise, across processes by the lock of the store.
 */
export class TokenSession implements Session {
  #renewing: Promise<string | undefined> | undefined;

  constructor(
    private readonly options: SessionCallOptions,
    private readonly store: SessionStore = new MemorySessionStore(),
  ) {}

  /** Signs in with the code of the identity provider. Resolves with the person, the account and the invitations. */
  async signIn(grant: { readonly code: string; readonly code_verifier: string }): Promise<OpenedSession> {
    const opened = await callSession<OpenedSession>(this.options, '/v1/auth/identity/token', grant, {});
    await this.adopt(opened);
    return opened;
  }

  /** Uses the tokens of a call that opened a session, for example `POST /v1/auth/complete-signup`. */
  async adopt({ access_token, refresh_token }: OpenedSession): Promise<void> {
    if (refresh_token === undefined) throw new TypeError('The answer has no refresh token.');
    await this.store.save(tokensOf(access_token, refresh_token));
  }

  async accessToken(): Promise<string | undefined> {
    const tokens = await this.store.load();
    if (!tokens) return undefined;
    const isFresh = Date.now() - tokens.issuedAt < RENEW_AFTER_MS;
    return isFresh ? tokens.accessToken : this.renewAfter(tokens.accessToken);
  }

  renewAfter(refused: string): Promise<string | undefined> {
    this.#renewing ??= this.#locked(() => this.#renew(refused)).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  /** Signs out: the API ends the session, and the store is empty. */
  async end(): Promise<void> {
    await this.#locked(async () => {
      const tokens = await this.store.load();
      if (tokens)
        await callSession(this.options, '/v1/auth/logout', { refresh_token: tokens.refreshToken }, {});
      await this.store.clear();
    });
  }

  #locked<T>(change: () => Promise<T>): Promise<T> {
    return this.store.lock ? this.store.lock(change) : change();
  }

  /** Another process may have renewed the session while this one waited for the lock. */
  async #renew(refused: string): Promise<string | undefined> {
    const tokens = await this.store.load();
    if (!tokens || tokens.accessToken !== refused) return tokens?.accessToken;
    const body = { refresh_token: tokens.refreshToken };
    try {
      const { access_token, refresh_token } = await callSession<Required<OpenedSession>>(
        this.options,
        '/v1/auth/refresh',
        body,
        {},
      );
      await this.store.save(tokensOf(access_token, refresh_token));
      return access_token;
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      await this.store.clear();
      return undefined;
    }
  }
}

function tokensOf(accessToken: string, refreshToken: string): SessionTokens {
  return { accessToken, refreshToken, issuedAt: Date.now() };
}
