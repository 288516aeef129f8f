import { Transform, type TransformCallback } from 'node:stream';

/** Below this a piece costs more in calls than in copying: it waits for its neighbours. */
const CRUMB_BYTES = 4_096;

/** Pieces that wait for a reader, of a segment each at most. */
const PIECES_AHEAD_MAX = 4;

/**
 * A transform of bytes that sees no crumbs: large pieces go by uncopied, small ones are gathered first. A writer of
 * single bytes then costs a copy of each, instead of a cipher call and a buffer of each.
 */
export abstract class GatheringTransform extends Transform {
  readonly #crumbs = Buffer.alloc(CRUMB_BYTES);
  #crumbBytes = 0;

  constructor() {
    // As objects, pieces are handed on as they are: a reader of bytes would have those that wait copied together.
    super({ readableObjectMode: true, readableHighWaterMark: PIECES_AHEAD_MAX });
  }

  /** Works through a piece before it returns: the memory is used again. What it throws ends the stream. */
  protected abstract takePiece(bytes: Buffer): void;
  /** The input has ended. Throws when it may not end here. */
  protected abstract assertWhole(): void;
  /** Fills everything secret with 0: at the end, at an error, when the stream is given up. May be called twice. */
  protected abstract wipe(): void;

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    attempt(() => this.#gather(bytes), done);
  }

  override _flush(done: TransformCallback): void {
    attempt(() => {
      this.#sweep();
      this.assertWhole();
      this.#wipeAll();
    }, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#wipeAll();
    done(error);
  }

  #gather(bytes: Buffer): void {
    if (this.#crumbBytes + bytes.length > CRUMB_BYTES) this.#sweep();
    if (bytes.length > CRUMB_BYTES) return this.takePiece(bytes);
    this.#crumbBytes += bytes.copy(this.#crumbs, this.#crumbBytes);
  }

  #sweep(): void {
    const crumbs = this.#crumbs.subarray(0, this.#crumbBytes);
    this.#crumbBytes = 0;
    this.takePiece(crumbs);
  }

  #wipeAll(): void {
    this.#crumbs.fill(0);
    this.wipe();
  }
}

function attempt(work: () => void, done: TransformCallback): void {
  try {
    work();
  } catch (error) {
    return done(error as Error);
  }
  done();
}
