/**
 * The newest entries in memory, at most `max`; the oldest are deleted first.
 * @template {{ id: string, read: boolean }} T
 */
export class NewestEntries {
  /** @type {Map<string, T>} */
  #entries = new Map();

  /**
   * @param {number} max
   * @param {() => void} changed called after every change
   */
  constructor(max, changed) {
    this.max = max;
    this.changed = changed;
  }

  /** @param {T} entry */
  add(entry) {
    this.#entries.set(entry.id, entry);
    if (this.#entries.size > this.max) this.#entries.delete(this.#entries.keys().next().value ?? '');
    this.changed();
    return entry;
  }

  /** @returns {T[]} the newest last */
  list() {
    return [...this.#entries.values()];
  }

  /**
   * Returns the entry and marks it as read.
   * @param {string} id
   */
  open(id) {
    const entry = this.#entries.get(id);
    if (entry) entry.read = true;
    return entry;
  }

  /**
   * @param {string} id
   * @returns {boolean} whether it existed
   */
  remove(id) {
    this.changed();
    return this.#entries.delete(id);
  }

  clear() {
    this.#entries.clear();
    this.changed();
  }
}
