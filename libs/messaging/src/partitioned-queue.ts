/**
 * What waits to be applied, in parts. Whoever takes a part has it until it is done with it: of one part nothing is taken
 * meanwhile, and what it holds keeps its order. Parts come in turn.
 */
export class PartitionedQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  readonly #taken = new Set<string>();

  add(part: string, item: T): void {
    const waiting = this.#waiting.get(part);
    if (waiting) waiting.push(item);
    else this.#waiting.set(part, [item]);
  }

  /** The oldest `max` items at most of a part that nobody has; undefined: there is none. */
  next(max: number): { readonly part: string; readonly items: readonly T[] } | undefined {
    for (const [part, waiting] of this.#waiting) {
      if (this.#taken.has(part)) continue;
      this.#taken.add(part);
      this.#waiting.delete(part); // what is left of it goes to the end
      if (waiting.length > max) this.#waiting.set(part, waiting.slice(max));
      return { part, items: waiting.slice(0, max) };
    }
    return undefined;
  }

  release(part: string): void {
    this.#taken.delete(part);
  }
}
