import { Transform, type TransformCallback } from 'node:stream';
import { freeMemory } from '../memory/index.js';

/** Writes up to this size cost more in cipher calls than in copying, so they are coalesced. */
const SMALL_WRITE_BYTES = 4_096;

/** Chunks of output that wait for the reader, each at most one segment. */
const OUTPUT_CHUNKS_MAX = 4;

export interface InputOptions {
  /** Whether the stream owns what is written to it: it then frees the memory of a large write after processing it. */
  readonly ownsInput?: boolean;
}

/**
 * A transform that coalesces small writes into one buffer and passes large ones on without a copy. A writer of single
 * bytes then costs one copy per byte instead of one cipher call and one buffer per byte.
 */
export abstract class CoalescingTransform extends Transform {
  readonly #buffer = Buffer.alloc(SMALL_WRITE_BYTES);
  readonly #ownsInput: boolean;
  #bufferedBytes = 0;

  constructor({ ownsInput = false }: InputOptions = {}) {
    // In object mode the output is not concatenated, so waiting chunks are not copied.
    super({ readableObjectMode: true, readableHighWaterMark: OUTPUT_CHUNKS_MAX });
    this.#ownsInput = ownsInput;
  }

  /** Processes input before it returns, because its memory is reused. An exception destroys the stream. */
  protected abstract process(bytes: Buffer): void;
  /** Called at the end of the input. Throws if the input is incomplete. */
  protected abstract assertComplete(): void;
  /** Wipes all secrets: at the end, after an error and when the stream is destroyed. Idempotent. */
  protected abstract wipe(): void;

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    attempt(() => this.#coalesce(bytes), done);
  }

  override _flush(done: TransformCallback): void {
    attempt(() => {
      this.#flush();
      this.assertComplete();
      this.#wipeAll();
    }, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#wipeAll();
    done(error);
  }

  #coalesce(bytes: Buffer): void {
    if (this.#bufferedBytes + bytes.length > SMALL_WRITE_BYTES) this.#flush();
    if (bytes.length > SMALL_WRITE_BYTES) return this.#processLarge(bytes);
    this.#bufferedBytes += bytes.copy(this.#buffer, this.#bufferedBytes);
  }

  #processLarge(bytes: Buffer): void {
    this.process(bytes);
    if (this.#ownsInput) freeMemory(bytes);
  }

  #flush(): void {
    const buffered = this.#buffer.subarray(0, this.#bufferedBytes);
    this.#bufferedBytes = 0;
    this.process(buffered);
  }

  #wipeAll(): void {
    this.#buffer.fill(0);
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
