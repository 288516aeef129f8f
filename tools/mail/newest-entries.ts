/** The newest entries in memory, at most `max`; the oldest are deleted first. */
export class NewestEntries<T extends { id: string; read: boolean }> {
  #entries: Map<string, T> = new Map();

  readonly max: number;
  readonly changed: () => void;

  /** @param changed called after every change */
  constructor(max: number, changed: () => void) {
    this.max = max;
    this.changed = changed;
  }

  add(entry: T) {
    this.#entries.set(entry.id, entry);
    if (this.#entries.size > this.max) this.#entries.delete(this.#entries.keys().next().value ?? '');
    this.changed();
    return entry;
  }

  /** @returns the newest last */
  list(): T[] {
    return [...this.#entries.values()];
  }

  /** Returns the entry and marks it as read. */
  open(id: string) {
    const entry = this.#entries.get(id);
    if (entry) entry.read = true;
    return entry;
  }

  /** @returns whether it existed */
  remove(id: string): boolean {
    this.changed();
    return this.#entries.delete(id);
  }

  clear() {
    this.#entries.clear();
    this.changed();
  }
}
