import { Logger } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { isLockTimeout, statement, type Database, type Transaction } from '@vaultsvc/database';
import { inScopeOf } from './delivery-scope.js';
import type { EventApplier } from './event-applier.js';

const POLL_MS = 15_000;

/**
 * Applies the dead letters of a consumer that an operator wants to be applied again (`dead-letters replay`), oldest first.
 *
 * It uses the path of deliveries: the dead letter is deleted in the transaction that records the event as processed, so it is
 * applied once, whichever instance finds it and however often it is requested. One that fails again stays, with its new error.
 */
export class DeadLetterReplay {
  readonly #logger = new Logger('events');
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly database: Database,
    private readonly consumer: string,
    private readonly applier: EventApplier,
  ) {}

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#tryRound().finally(() => (this.#running = undefined));
    }, POLL_MS).unref();
  }

  /** Ends after the current dead letter. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Applies all requested dead letters. Returns how many were applied. */
  async round(): Promise<number> {
    let applied = 0;
    while (!this.#stopped) {
      const [row] = await this.database.query<RequestedRow>(nextRequested, [this.consumer]);
      if (!row) break;
      const outcome = await this.#replay(row);
      if (outcome === 'later') break;
      if (outcome === 'applied') applied += 1;
    }
    return applied;
  }

  async #tryRound(): Promise<void> {
    try {
      await this.round();
    } catch (error) {
      this.#logger.warn({ msg: 'dead letters wait for the next round', consumer: this.consumer, err: error });
    }
  }

  async #replay({ event_id, delivery }: RequestedRow): Promise<'applied' | 'failed' | 'later'> {
    const line = {
      consumer: this.consumer,
      event: delivery.name,
      eventId: event_id,
      requestId: delivery.requestId,
    };
    if (!this.applier.applies(delivery.name))
      return this.#fail(line, new Error('this build applies no such event'));
    const attempt = await inScopeOf(this.consumer, [delivery], () =>
      this.applier.apply([delivery], (tx) => this.#claim(tx, event_id)),
    );
    if (attempt.result === 'applied') {
      this.#logger.log({ msg: 'dead letter applied', ...line });
      return 'applied';
    }
    if (attempt.error instanceof NoLongerRequested) return 'failed'; // by another instance: nothing to report
    // A lock and a lost connection say nothing about the event.
    if (attempt.result === 'lost' || isLockTimeout(attempt.error)) return 'later';
    return this.#fail(line, attempt.error);
  }

  async #claim(tx: Transaction, eventId: string): Promise<void> {
    const claimed = await tx.query(claim, [this.consumer, eventId]);
    if (claimed.length === 0) throw new NoLongerRequested();
  }

  async #fail(line: { eventId: string }, error: unknown): Promise<'failed'> {
    this.#logger.error({ msg: 'dead letter could not be applied', ...line, err: error });
    const text = (error instanceof Error ? error.message : String(error))
      .replaceAll('\0', '')
      .slice(0, 1_000);
    await this.database.query(keepFailed, [this.consumer, line.eventId, text]);
    return 'failed';
  }
}

class NoLongerRequested extends Error {
  override readonly name = 'NoLongerRequested';
}

interface RequestedRow {
  readonly event_id: string;
  readonly delivery: Delivery;
}

/** Messages that were refused are not deliveries: their publisher sends their events again (`OutboxReconciler`). */
const nextRequested = statement(
  'dead-letters.next-requested',
  `SELECT event_id, delivery FROM dead_letters
    WHERE consumer = $1 AND replay_requested_at IS NOT NULL AND delivery ? 'name' ORDER BY failed_at, event_id LIMIT 1`,
);

const claim = statement(
  'dead-letters.claim',
  `DELETE FROM dead_letters WHERE consumer = $1 AND event_id = $2 AND replay_requested_at IS NOT NULL RETURNING 1`,
);

const keepFailed = statement(
  'dead-letters.keep-failed',
  `UPDATE dead_letters SET error = $3, failed_at = now(), replay_requested_at = NULL
    WHERE consumer = $1 AND event_id = $2`,
);
