/**
 * Which accounts may use further places for the messages that an instance sends at a time (ADR 37). An account alone may use
 * seven eighths, but never all, so that another one finds a place. It may use a quarter while others send or wait, and until its
 * provider has answered: nobody knows yet whether it ever will.
 */
export class AccountShares {
  /** Messages in flight by account. */
  readonly #inFlight = new Map<string, number>();
  /** Accounts with messages in flight whose last message was answered. */
  readonly #answered = new Set<string>();
  readonly #quarter: number;
  readonly #most: number;
  #count = 0;

  constructor(private readonly places: number) {
    this.#quarter = Math.ceil(places / 4);
    this.#most = Math.max(1, Math.min(places - 1, Math.floor((places * 7) / 8)));
  }

  get isFull(): boolean {
    return this.#count >= this.places;
  }

  /** The accounts with messages in flight. */
  get accounts(): string[] {
    return [...this.#inFlight.keys()];
  }

  begin(account: string): void {
    this.#count += 1;
    this.#inFlight.set(account, this.#of(account) + 1);
  }

  /** @param isAnswered whether the provider answered, if it was asked */
  end(account: string, isAnswered: boolean | undefined): void {
    if (isAnswered === true) this.#answered.add(account);
    if (isAnswered === false) this.#answered.delete(account);
    this.#count -= 1;
    const left = this.#of(account) - 1;
    if (left > 0) return void this.#inFlight.set(account, left);
    this.#inFlight.delete(account);
    this.#answered.delete(account);
  }

  /**
   * Accounts with messages in flight that may send another one, those with the fewest first.
   * @param isOtherWaiting whether an account without any waits
   */
  extensible(isOtherWaiting: boolean): string[] {
    const isAlone = this.#inFlight.size <= 1 && !isOtherWaiting;
    const limitOf = (account: string) =>
      isAlone && this.#answered.has(account) ? this.#most : this.#quarter;
    return this.accounts
      .filter((account) => this.#of(account) < limitOf(account))
      .sort((one, other) => this.#of(one) - this.#of(other));
  }

  #of(account: string): number {
    return this.#inFlight.get(account) ?? 0;
  }
}
