import type { Readable } from 'node:stream';
import { Objects, Unavailable, type ByteRange, type ListRequest } from '@vaultsvc/objects';

/** A store that fails once, at one of its puts: before the object is stored, or after it. */
export class FailingObjects extends Objects {
  #puts = 0;

  constructor(
    private readonly store: Objects,
    private readonly failure: { readonly put: number; readonly isStored: boolean },
  ) {
    super();
  }

  /** Whether the put that fails was reached. */
  get hasFailed(): boolean {
    return this.#puts > this.failure.put;
  }

  async put(key: string, content: Readable, bytes: number): Promise<void> {
    const isFailing = this.#puts === this.failure.put;
    this.#puts += 1;
    if (!isFailing || this.failure.isStored) await this.store.put(key, content, bytes);
    if (isFailing) throw new Unavailable('stopped by the test');
  }

  read(key: string, range?: ByteRange) {
    return this.store.read(key, range);
  }

  find(key: string) {
    return this.store.find(key);
  }

  delete(key: string) {
    return this.store.delete(key);
  }

  deleteMany(keys: readonly string[]) {
    return this.store.deleteMany(keys);
  }

  list(request: ListRequest) {
    return this.store.list(request);
  }

  check() {
    return this.store.check();
  }

  open() {
    return this.store.open();
  }

  close(): void {
    this.store.close();
  }
}
