import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { ConnectionClosed } from '@vaultsvc/http';
import { bytesOut } from '../response/transferred-bytes.js';

/** What may wait for the socket, and goes to it together. */
const WRITE_BYTES = 1_024 * 1_024;

type Done = (error?: Error | null) => void;

/**
 * The body of an answer whose length is announced. Pieces that have gathered while the last ones went out are written
 * together. When it is destroyed the connection is cut: a body that ends early must not look whole.
 */
export class ResponseWritable extends Writable {
  #sentBytes = 0;

  /** `stallMs`: how long a reader may take nothing at all before it is cut off. */
  constructor(
    private readonly response: ServerResponse,
    stallMs: number,
  ) {
    super({ highWaterMark: WRITE_BYTES });
    response.once('close', () => this.destroy(response.writableFinished ? undefined : gone()));
    response.once('error', (error) => this.destroy(gone(error)));
    response.setTimeout(stallMs, () => this.destroy(new ConnectionClosed('the caller reads no more')));
  }

  /** Bytes that were handed to the connection. Of a caller who goes away, some of the last MiB may not have arrived. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: Done): void {
    this.#count(bytes);
    this.response.write(bytes, sent(done));
  }

  override _writev(pieces: readonly { chunk: Buffer }[], done: Done): void {
    this.response.cork();
    for (const [index, { chunk }] of pieces.entries()) {
      this.#count(chunk);
      if (index === pieces.length - 1) this.response.write(chunk, sent(done));
      else this.response.write(chunk);
    }
    this.response.uncork();
  }

  #count({ length }: Buffer): void {
    this.#sentBytes += length;
    bytesOut.inc(length);
  }

  override _final(done: Done): void {
    this.response.end(() => done());
  }

  override _destroy(error: Error | null, done: Done): void {
    if (!this.response.writableFinished) this.response.destroy();
    done(error);
  }
}

/** What a connection fails with (EPIPE, ECONNRESET) says how its caller went away, and nothing of the content. */
function sent(done: Done): Done {
  return (error) => done(error && gone(error));
}

function gone(cause?: Error): ConnectionClosed {
  return new ConnectionClosed('the caller closed the connection', { cause });
}
