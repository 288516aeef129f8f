import { Readable } from 'node:stream';
import { ObjectsError, S3Objects, Unavailable } from '@vaultsvc/objects';
import type { S3SinkSettings } from '../../settings/sink-settings.js';
import { SinkFailure, type Sink, type SinkBatch } from './sink.js';

/** Stores each batch as an object. A repetition replaces the object by the same bytes, but for bodies erased meanwhile. */
export class S3Sink implements Sink {
  #objects: S3Objects | undefined;

  constructor(private readonly settings: S3SinkSettings) {}

  async send(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const objects = (this.#objects ??= new S3Objects(this.#store));
    // Closing the connections of the store is what ends a put that waits for its response.
    const close = () => this.close();
    signal.addEventListener('abort', close);
    try {
      const content = Readable.from([batch.lines], { objectMode: false });
      await objects.put(keyOf(this.settings.prefix, batch), content, batch.lines.length);
    } catch (error) {
      throw failureOf(error, signal);
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  close(): void {
    this.#objects?.close();
    this.#objects = undefined;
  }

  get #store() {
    const { bucket, region, endpoint, pathStyle, checksums, credentials, timeoutMs } = this.settings;
    return {
      bucket,
      region,
      pathStyle,
      checksums,
      timeoutMs,
      connectionsMax: 1,
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials && { credentials }),
    };
  }
}

/** `audit/2026/07/31/14/0000000000001234-5f3a….jsonl`: year, month, day and hour in UTC. */
function keyOf(prefix: string, { at, id }: SinkBatch): string {
  const [year, month, day, hour] = at.toISOString().split(/[-T:]/);
  return `${prefix}/${year}/${month}/${day}/${hour}/${id}.jsonl`;
}

/** The cause of Unavailable was logged. Anything else is a bug. */
function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new SinkFailure('TIMEOUT');
  if (error instanceof Unavailable) return new SinkFailure(error.reason);
  return error instanceof ObjectsError ? new SinkFailure(error.name) : error;
}
