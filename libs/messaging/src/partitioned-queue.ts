/**
 * A FIFO queue for each partition. A partition is leased by `next` until `release`: its items keep their order and are never
 * processed concurrently. Partitions are served round-robin.
 */
export class PartitionedQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  readonly #leased = new Set<string>();

  add(partition: string, item: T): void {
    const waiting = this.#waiting.get(partition);
    if (waiting) waiting.push(item);
    else this.#waiting.set(partition, [item]);
  }

  /** Leases a partition and returns up to `max` of its oldest items; undefined if no partition is waiting. */
  next(max: number): { readonly partition: string; readonly items: readonly T[] } | undefined {
    for (const [partition, waiting] of this.#waiting) {
      if (this.#leased.has(partition)) continue;
      this.#leased.add(partition);
      this.#waiting.delete(partition); // the rest goes to the end, behind other partitions
      if (waiting.length > max) this.#waiting.set(partition, waiting.slice(max));
      return { partition, items: waiting.slice(0, max) };
    }
    return undefined;
  }

  release(partition: string): void {
    this.#leased.delete(partition);
  }
}
