import { Transform, type TransformCallback } from 'node:stream';
import { WrongLength } from './errors.js';

/**
 * Lets exactly so many bytes through, or fails with WrongLength. The last of them is held back until the input has
 * ended: a store that has been told the length would take the object for whole before the byte too many arrives.
 */
export class ExactLength extends Transform {
  #seen = 0;
  #last: Buffer | undefined;

  constructor(private readonly bytes: number) {
    super();
  }

  /** Bytes that came in. */
  get seen(): number {
    return this.#seen;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#seen += chunk.length;
    if (this.#seen > this.bytes) return done(new WrongLength(this.bytes, this.#seen));
    if (this.#seen < this.bytes) return done(null, chunk);
    this.#last ??= chunk; // An empty chunk may follow.
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#seen !== this.bytes) return done(new WrongLength(this.bytes, this.#seen));
    done(null, this.#last);
  }
}
