import { Logger } from '@nestjs/common';
import type { SinkBatchReader } from './sink-batch-reader.js';
import { sinkFailures } from './sink-metrics.js';
import type { SinkSettings } from '../../settings/sink-settings.js';
import { SinkFailure, type Sink, type SinkBatch } from './sink.js';
import type { LeasedSink, Sender, SinkRepository } from './sink.repository.js';

/** Milliseconds between two looks for new entries, and for a sink that another instance has left. */
const POLL_MS = 1_000;
const RETRY_MS_MAX = 5 * 60_000;
/** A sink that asks for more gets this. */
const RETRY_AFTER_MS_MAX = 60 * 60_000;

/** Sends the entries of one sink, batch by batch, while this process has its lease. */
export class SinkWorker {
  readonly #logger = new Logger('audit-sinks');
  readonly #sender: Sender;

  /** `owner`: the UUID of this process. */
  constructor(
    private readonly settings: Pick<SinkSettings, 'name' | 'timeoutMs'>,
    owner: string,
    private readonly sink: Sink,
    private readonly batches: SinkBatchReader,
    private readonly sinks: SinkRepository,
  ) {
    this.#sender = { sink: settings.name, owner };
    sinkFailures.inc({ sink: settings.name }, 0); // an alarm on its increase needs the first value
  }

  get name(): string {
    return this.settings.name;
  }

  /** Sends until nothing is left, the sink fails or the signal aborts. Resolves to the milliseconds until the next run. */
  async run(stopping: AbortSignal): Promise<number> {
    while (!stopping.aborted && (await this.#sendNext(stopping)));
    return POLL_MS;
  }

  /** Closes the sink and ends the lease, so that another instance continues at once. Never rejects: the lease ends anyway. */
  async stop(): Promise<void> {
    this.sink.close();
    await this.sinks.release(this.#sender).catch((error: unknown) => {
      this.#logger.warn({ msg: 'audit sink not released', sink: this.name, err: error });
    });
  }

  async #sendNext(stopping: AbortSignal): Promise<boolean> {
    const leased = await this.sinks.lease(this.#sender, this.settings.timeoutMs);
    const next = leased && (await this.batches.next(this.#sender, leased));
    if (!next || stopping.aborted) return false;
    const { batch, position, history } = next;
    try {
      if (batch) await this.#send(batch, stopping);
    } catch (error) {
      if (!stopping.aborted) await this.#failed(leased, error);
      return false;
    }
    const entries = batch?.entries ?? 0;
    const isAdvanced = await this.sinks.advance(this.#sender, leased, { entries, position, history });
    if (isAdvanced) this.#logProgress(leased, history === null);
    return isAdvanced;
  }

  /** `AbortSignal.any` would keep a reference of each attempt for as long as the process runs. */
  async #send(batch: SinkBatch, stopping: AbortSignal): Promise<void> {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    const timer = setTimeout(abort, this.settings.timeoutMs);
    stopping.addEventListener('abort', abort);
    try {
      await this.sink.send(batch, attempt.signal);
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener('abort', abort);
    }
  }

  async #failed({ failures }: LeasedSink, error: unknown): Promise<void> {
    const { name } = this.settings;
    const { reason, retryAfterMs } = error instanceof SinkFailure ? error : unexpected(error);
    const retryMs = Math.round(retryDelay(failures, retryAfterMs));
    sinkFailures.inc({ sink: name });
    await this.sinks.fail(this.#sender, reason, retryMs);
    const about = { sink: name, reason, failures: failures + 1, retryMs };
    // A response may contain anything, so a SinkFailure is logged by its reason alone.
    this.#logger.warn({
      msg: 'audit sink failed',
      ...about,
      ...(!(error instanceof SinkFailure) && { err: error }),
    });
  }

  #logProgress({ failures, history }: LeasedSink, isHistoryOver: boolean): void {
    const sink = this.settings.name;
    if (failures > 0) this.#logger.log({ msg: 'audit sink recovered', sink, failures });
    if (history && isHistoryOver) this.#logger.log({ msg: 'audit sink has all older entries', sink });
  }
}

function unexpected(error: unknown): SinkFailure {
  return new SinkFailure(error instanceof Error ? error.name : 'UNKNOWN');
}

/** Doubles from a second to five minutes, of which a random half is subtracted, so that instances and sinks fall out of step. */
export function retryDelay(failures: number, retryAfterMs = 0): number {
  const backoffMs = Math.min(1_000 * 2 ** failures, RETRY_MS_MAX) * (1 - Math.random() / 2);
  return Math.max(backoffMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
}
