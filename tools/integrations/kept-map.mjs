import { readJson, writePrivateJson } from '../stack/private-files.mjs';

/**
 * A map that a file keeps, so that connections outlast a restart of the local stack as their accounts do.
 * @template K, V
 * @extends {Map<K, V>}
 */
export class KeptMap extends Map {
  /** @type {string | undefined} */
  #path;

  /** @param {string} [path] of the file; without one the map is in memory only */
  constructor(path) {
    super();
    if (path !== undefined) for (const [key, value] of readJson(path) ?? []) super.set(key, value);
    this.#path = path;
  }

  /**
   * @param {K} key
   * @param {V} value
   */
  set(key, value) {
    super.set(key, value);
    this.#save();
    return this;
  }

  /** @param {K} key */
  delete(key) {
    const isDeleted = super.delete(key);
    this.#save();
    return isDeleted;
  }

  #save() {
    if (this.#path !== undefined) writePrivateJson(this.#path, [...this]);
  }
}
