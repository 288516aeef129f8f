import type { Readable } from 'node:stream';

/** Bytes `start` to `end`, the end not included, as in `slice`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** When it was put, by the clock of the store, to the second. */
  readonly modifiedAt: Date;
}

export interface ListRequest {
  /** What the keys begin with, as in `v1/`; it need not end at a slash. */
  readonly prefix: string;
  /** Only keys after this one: `next` of the page before. */
  readonly after?: string;
  /** 1 to 1,000, which is the default. */
  readonly limit?: number;
}

export interface ObjectPage {
  /** In the order of their keys. */
  readonly objects: readonly StoredObject[];
  /** Give it as `after` to go on; null when there is no more. It may be kept for days. */
  readonly next: string | null;
}

/**
 * Stores whole objects under keys. A key is 1 to 512 letters, digits, `_` and `-` in parts divided by `/`.
 *
 * Every method and every stream throws `Unavailable` when the store fails. Nothing waits for ever, except for the
 * caller's own streams: how slow a client may be is for the caller to say.
 */
export abstract class Objects {
  /**
   * Stores a content of 1 byte to 5 GiB. The object shows under its key when it is whole and durable, in place of what
   * was there; of two at once one wins, whole. Afterwards `content` is consumed or destroyed.
   *
   * Throws `WrongLength` for a content that is not `bytes` long and `Interrupted` for one that fails or is destroyed;
   * these leave nothing. After `Unavailable` the object may be there, but only whole. Nothing is tried twice: a stream
   * that was consumed does not come again.
   */
  abstract put(key: string, content: Readable, bytes: number): Promise<void>;

  /**
   * A range, or all of it, as a stream that gives exactly these bytes or an error. Destroying the stream frees what is
   * behind it. Throws `NotFound`, and `WrongLength` for a range that ends after the object.
   */
  abstract read(key: string, range?: ByteRange): Promise<Readable>;

  /** Size and age of an object; null when there is none. */
  abstract find(key: string): Promise<StoredObject | null>;

  /** Deletes an object; one that is not there is deleted already. */
  abstract delete(key: string): Promise<void>;

  /** Deletes any number of objects. After an error some may be left: do it again. */
  abstract deleteMany(keys: readonly string[]): Promise<void>;

  /** A page of what is there. What comes or goes meanwhile may or may not show. */
  abstract list(request: ListRequest): Promise<ObjectPage>;

  /** Whether the store can be used now, for readiness; throws `Unavailable` when not. */
  abstract check(): Promise<void>;

  /** Makes the store ready for use; before anything else. */
  abstract open(): Promise<void>;

  /** Closes connections; after everything else. */
  abstract close(): void;
}
