import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, exclusive, as in `slice`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored object, without its content. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** When it was stored, by the clock of the store, in whole seconds. */
  readonly modifiedAt: Date;
}

/** Selects a page of objects. */
export interface ListRequest {
  /** The prefix of the keys, as in `v1/`; it need not end with a slash. */
  readonly prefix: string;
  /** Only keys after this one: `next` of the previous page. */
  readonly after?: string;
  /** 1 to 1,000; 1,000 by default. */
  readonly limit?: number;
}

/** A page of a list of objects. */
export interface ObjectPage {
  /** In the order of their keys. */
  readonly objects: readonly StoredObject[];
  /** The `after` of the next page; null on the last one. It never expires. */
  readonly next: string | null;
}

export interface PutOptions {
  /** Whether the store owns the chunks of the content: a disk then frees their memory once they are written. */
  readonly ownsContent?: boolean;
}

/**
 * Stores whole objects under keys. A key is 1 to 512 letters, digits, `_` and `-` in parts divided by `/`; one of JSON Lines may
 * end in `.jsonl`, by which other programs recognise the format.
 *
 * Every method and every stream throws `Unavailable` when the store fails, and `RangeError` for an invalid argument.
 * Waiting for the store has a timeout; waiting for the caller's streams has none, which is up to the caller.
 */
export abstract class Objects {
  /**
   * Stores a content of 1 byte to 5 GiB. The object is visible when it is complete and durable, and replaces an earlier
   * one; of concurrent puts one wins. Afterwards `content` is consumed or destroyed.
   *
   * Throws `WrongLength` for a content that is not `bytes` long and `Interrupted` for one that fails or is destroyed;
   * then nothing is stored. After `Unavailable` the object may exist, but only complete. It does not retry, because a
   * stream can be consumed once.
   */
  abstract put(key: string, content: Readable, bytes: number, options?: PutOptions): Promise<void>;

  /**
   * Reads an object, or a range of it, as a stream of exactly these bytes or of an error. The reader owns its chunks. Destroying the
   * stream closes its file or connection. Throws `NotFound`, and `WrongLength` for a range that ends after the object.
   */
  abstract read(key: string, range?: ByteRange): Promise<Readable>;

  /** Size and age of an object; null when there is none. */
  abstract find(key: string): Promise<StoredObject | null>;

  /** Deletes an object; idempotent. */
  abstract delete(key: string): Promise<void>;

  /** Deletes any number of objects. After an error some may be left; a retry deletes them. */
  abstract deleteMany(keys: readonly string[]): Promise<void>;

  /** Lists a page of objects. Objects that are stored or deleted concurrently may be included or not. */
  abstract list(request: ListRequest): Promise<ObjectPage>;

  /** Throws `Unavailable` when the store cannot be used now; for readiness. */
  abstract check(): Promise<void>;

  /** Prepares the store; must be called first. */
  abstract open(): Promise<void>;

  /** Closes connections; must be called last. */
  abstract close(): void;
}
