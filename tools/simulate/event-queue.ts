/** Events of a simulation by their time, the first ones first; of one time in the order in which they were added. */
export class EventQueue {
  /** A binary heap. */
  readonly #heap: Event[] = [];
  #added = 0;

  add(at: number, happen: (at: number) => void): void {
    const event = { at, order: this.#added++, happen };
    let index = this.#heap.length;
    this.#heap.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#heap[parent] as Event;
      if (isBefore(above, event)) break;
      this.#heap[index] = above;
      index = parent;
    }
    this.#heap[index] = event;
  }

  /** Until none is left. */
  run(): void {
    for (let event = this.#take(); event; event = this.#take()) event.happen(event.at);
  }

  #take(): Event | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined || this.#heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [this.#heap[child], this.#heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const below = this.#heap[child] as Event;
      if (isBefore(last, below)) break;
      this.#heap[index] = below;
      index = child;
    }
    this.#heap[index] = last;
    return first;
  }
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly happen: (at: number) => void;
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
