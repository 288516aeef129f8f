/** The resources of one kind that an account may change next. */
export class Resources<T> {
  readonly #items: T[] = [];

  constructor(private readonly random: () => number) {}

  add(item: T): void {
    this.#items.push(item);
  }

  /** One of them, which other changes may use at the same time. Undefined when there is none. */
  pick(): T | undefined {
    return this.#items[this.#index()];
  }

  /** Removes one of them: no other change will find it. Undefined when there is none. */
  take(): T | undefined {
    return this.#items.splice(this.#index(), 1)[0];
  }

  #index(): number {
    return Math.floor(this.random() * this.#items.length);
  }
}
