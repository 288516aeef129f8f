import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { freeMemory } from '@vaultsvc/crypto/memory';
import { ConnectionClosed } from '@vaultsvc/http';
import { bytesOut } from '../exchange/transferred-bytes.js';

/** Batches that may be in this stream: one that the socket is sending, and one that waits for it. */
const BATCHES_MAX = 2;

type Done = (error?: Error | null) => void;

/** Node's handle of a socket. Its write queue shrinks with every byte that the system accepts, within one write too. */
interface SocketHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/**
 * The body of a response with Content-Length, in batches of chunks (Buffer[]). It owns them: the chunks of a batch are written
 * to the socket together, and freed once they are sent. Destroying it closes the connection: a body that ends early must not look
 * complete.
 */
export class ResponseWritable extends Writable {
  #sentBytes = 0;

  /** `stallMs`: a client that reads nothing for this long is disconnected. */
  constructor(
    private readonly response: ServerResponse,
    stallMs: number,
  ) {
    super({ objectMode: true, highWaterMark: BATCHES_MAX });
    response.strictContentLength = true; // the end of a shorter body throws
    response.once('close', () => this.destroy(response.writableFinished ? undefined : connectionClosed()));
    response.once('error', (error) => this.destroy(connectionClosed(error)));
    response.setTimeout(stallMs, () => this.destroy(new ConnectionClosed('the caller stopped reading')));
  }

  /** Bytes written to the connection. After a disconnect some of the last MiB may not have arrived. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** Bytes that the system has accepted for the client, of all responses of this connection; to measure a rate. */
  get progressBytes(): number {
    const { _handle: handle } = (this.response.socket ?? {}) as { _handle?: SocketHandle | null };
    return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
  }

  get isWaitingForClient(): boolean {
    return this.writableLength > 0;
  }

  override _write(batch: readonly Buffer[], _: BufferEncoding, done: Done): void {
    this.response.cork();
    for (const [index, chunk] of batch.entries()) {
      this.#count(chunk);
      if (index === batch.length - 1) this.response.write(chunk, sent(batch, done));
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

/**
 * Frees the batch, unless the connection failed, when a write may be under way. Its error (EPIPE, ECONNRESET) means that the client
 * disconnected, and never a fault of the content.
 */
function sent(batch: readonly Buffer[], done: Done): Done {
  return (error) => {
    if (!error) for (const chunk of batch) freeMemory(chunk);
    done(error && connectionClosed(error));
  };
}

function connectionClosed(cause?: Error): ConnectionClosed {
  return new ConnectionClosed('the caller closed the connection', { cause });
}
