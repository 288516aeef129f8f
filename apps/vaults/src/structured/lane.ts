interface Waiting {
  readonly size: number;
  readonly enter: () => void;
}

/**
 * Long work, one piece after the other. Of 20 ingots that were sealed at once, a bit of each in turn, none would be done
 * in time; so the first ones are. The smallest of those that wait is next: few keys need not wait for 10,000 of somebody else.
 */
export class Lane {
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  /** Resolves when it is this one's turn. Whoever enters leaves. */
  async enter(size: number): Promise<void> {
    if (this.#isTaken) await new Promise<void>((enter) => this.#waiting.push({ size, enter }));
    this.#isTaken = true;
  }

  leave(): void {
    const sizes = this.#waiting.map(({ size }) => size);
    const [next] = this.#waiting.splice(sizes.indexOf(Math.min(...sizes)), 1);
    if (next) next.enter();
    else this.#isTaken = false;
  }
}
