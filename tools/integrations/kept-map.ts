import { readJson, writePrivateJson } from '../stack/private-files.ts';

/** A map that a file keeps, so that connections outlast a restart of the local stack as their accounts do. */
export class KeptMap<K, V> extends Map<K, V> {
  #path: string | undefined;

  /** @param path of the file; without one the map is in memory only */
  constructor(path?: string) {
    super();
    const entries = path === undefined ? undefined : readJson<[K, V][]>(path);
    for (const [key, value] of entries ?? []) super.set(key, value);
    this.#path = path;
  }

  override set(key: K, value: V) {
    super.set(key, value);
    this.#save();
    return this;
  }

  override delete(key: K) {
    const isDeleted = super.delete(key);
    this.#save();
    return isDeleted;
  }

  #save() {
    if (this.#path !== undefined) writePrivateJson(this.#path, [...this]);
  }
}
