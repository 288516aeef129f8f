/** The tokens of a session. Both are secrets. */
export interface SessionTokens {
  readonly refreshToken: string;
  readonly accessToken: string;
  /** When the access token was issued, in milliseconds since the epoch. */
  readonly issuedAt: number;
}

/** Where a program keeps its session: the secret store of the system, or a file that only its user can read. */
export interface SessionStore {
  load(): Promise<SessionTokens | undefined>;
  save(tokens: SessionTokens): Promise<void>;
  clear(): Promise<void>;
  /** Runs `change` while no other process that uses the same store does; needed where several processes share it. */
  lock?<T>(change: () => Promise<T>): Promise<T>;
}

/** A store for one process; its session ends with it unless `end` is called. */
export class MemorySessionStore implements SessionStore {
  #tokens: SessionTokens | undefined;

  constructor(tokens?: SessionTokens) {
    this.#tokens = tokens;
  }

  async load(): Promise<SessionTokens | undefined> {
    return this.#tokens;
  }

  async save(tokens: SessionTokens): Promise<void> {
    this.#tokens = tokens;
  }

  async clear(): Promise<void> {
    this.#tokens = undefined;
  }
}
