import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { toUnavailable, WrongLength } from './errors.js';

/**
 * Passes exactly `bytes` bytes through, or fails with WrongLength. It delays the last chunk until the input has ended:
 * otherwise a store that knows the length would complete the object before a surplus byte arrives.
 */
export class ExactLengthTransform extends Transform {
  #receivedBytes = 0;
  #last: Buffer | undefined;

  constructor(private readonly bytes: number) {
    super();
  }

  /** Bytes received so far. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > this.bytes) return done(new WrongLength(this.bytes, this.#receivedBytes));
    if (this.#receivedBytes < this.bytes) return done(null, chunk);
    this.#last ??= chunk; // An empty chunk may follow.
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#receivedBytes !== this.bytes) return done(new WrongLength(this.bytes, this.#receivedBytes));
    done(null, this.#last);
  }
}

/** A stream of exactly `bytes` bytes from a source of the store, or of an ObjectsError. Destroying either destroys both. */
export function withExactLength(bytes: number, source: Readable): ExactLengthTransform {
  const exact = new ExactLengthTransform(bytes);
  source.once('error', (error) => {
    // A consumer that destroyed the stream destroyed the source too; that is no failure of the store.
    if (!exact.destroyed) exact.destroy(toUnavailable('read', error));
  });
  pipeline(source, exact, () => {}); // The consumer gets the error from the stream itself.
  return exact;
}
