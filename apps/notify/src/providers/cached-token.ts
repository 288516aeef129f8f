/** A credential and the end of its use, in epoch milliseconds. */
export interface IssuedToken {
  readonly token: string;
  readonly usableUntil: number;
}

/** Keeps a token of a provider until its use ends. Concurrent callers share one issue; a failed one is not kept. */
export class CachedToken {
  #current: Promise<IssuedToken> | undefined;
  #usableUntil = Infinity;

  constructor(private readonly issue: () => Promise<IssuedToken>) {}

  /** @throws what the issue throws */
  async get(): Promise<string> {
    if (!this.#current || Date.now() >= this.#usableUntil) this.#current = this.#issued();
    return (await this.#current).token;
  }

  /** Forgets a token that the provider has refused, unless another one has replaced it. */
  async refuse(token: string): Promise<void> {
    const current = this.#current;
    if (current && (await current).token === token && this.#current === current) this.#current = undefined;
  }

  async #issued(): Promise<IssuedToken> {
    this.#usableUntil = Infinity;
    try {
      const issued = await this.issue();
      this.#usableUntil = issued.usableUntil;
      return issued;
    } catch (error) {
      this.#current = undefined;
      throw error;
    }
  }
}
