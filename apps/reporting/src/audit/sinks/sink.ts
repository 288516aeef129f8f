/** A batch of entries, as it is sent. */
export interface SinkBatch {
  /** A repetition of the same entries has the same id: 16 digits that order the batches of a sink, and a hash of the entries. */
  readonly id: string;
  /** JSON Lines, at most 1 MiB. */
  readonly lines: Buffer;
  readonly entries: number;
  /** When the last of the entries was appended; for older entries, when the sink was added. */
  readonly at: Date;
}

/** Receives batches of entries, one at a time. */
export interface Sink {
  /**
   * Resolves when the sink has received the batch. An abort of the signal ends the attempt at once.
   * @throws SinkFailure
   */
  send(batch: SinkBatch, signal: AbortSignal): Promise<void>;
  /** Closes connections; must be called last. */
  close(): void;
}

/** The sink did not confirm that it has received a batch; it may have. */
export class SinkFailure extends Error {
  override readonly name = 'SinkFailure';

  /**
   * @param reason a code such as `HTTP 503` or `ECONNREFUSED`, without content of the response
   * @param retryAfterMs the delay that the sink asked for
   */
  constructor(
    readonly reason: string,
    readonly retryAfterMs?: number,
  ) {
    super(`the sink failed: ${reason}`);
  }
}
