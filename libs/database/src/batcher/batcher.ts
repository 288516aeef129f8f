import { recordedTrace, runOutOfScope } from '@vaultsvc/telemetry';
import { Histogram } from 'prom-client';
import { errorCodeOf } from '../postgres-errors.js';
import { isInUnit } from '../unit-of-work.js';

/** Statements of one batcher under way at a time. One would leave PostgreSQL idle while its rows are read here. */
const STATEMENTS_MAX = 2;
const ITEMS_MAX = 64;
const BYTES_MAX = 512 * 1_024;

const batchSize = new Histogram({
  name: 'vaultsvc_statement_batch_items',
  help: 'Items in one batched statement, by statement.',
  labelNames: ['statement'],
  buckets: [1, 2, 4, 8, 16, 32, 64],
});

/** One statement for many callers. */
export interface Batching<Item, Outcome> {
  /** The name of the statement in metrics. */
  readonly name: string;
  /**
   * Runs the statement. It is all or nothing, so it can be run again after an error of PostgreSQL, and it locks rows in the
   * order of their ids or skips locked ones, so that two batches never wait for each other.
   * @returns one outcome for each item, in their order
   */
  readonly run: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** The size of an item's parameters; by default nothing, for items of a few hundred bytes. */
  readonly bytesOf?: (item: Item) => number;
}

/** The caller has stopped waiting. Nothing was changed for it. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
  constructor() {
    super('the deadline of the call has passed');
  }
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly deadlineMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: items that callers add while statements are under way leave together in the next one, up to 64 items and
 * 512 KiB. An item that finds none under way leaves at the end of this turn of the event loop, with those that arose in it,
 * so a single caller waits for nobody (ADR 25).
 */
export class Batcher<Item, Outcome> {
  #waiting: Waiting<Item, Outcome>[] = [];
  #running = 0;
  #leaves = false;

  constructor(private readonly batching: Batching<Item, Outcome>) {}

  /**
   * Resolves to the item's own outcome after its statement has committed.
   * @param deadlineMs epoch milliseconds after which the item no longer leaves
   * @throws DeadlinePassed; or the error of the statement, of an item of its own if another one caused it
   */
  add(item: Item, deadlineMs: number): Promise<Outcome> {
    if (isInUnit() || recordedTrace()) return this.#runAlone(item);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, deadlineMs, resolve, reject });
      this.#leaveSoon();
    });
  }

  /** In the transaction of the caller, which other items must not join, or in the trace of the caller. */
  async #runAlone(item: Item): Promise<Outcome> {
    const [outcome] = await this.batching.run([item]);
    return outcome as Outcome;
  }

  #leaveSoon(): void {
    if (this.#leaves || this.#running === STATEMENTS_MAX || this.#waiting.length === 0) return;
    this.#leaves = true;
    runOutOfScope(() =>
      setImmediate(() => {
        this.#leaves = false;
        void this.#leave();
      }),
    );
  }

  async #leave(): Promise<void> {
    const batch = this.#take();
    this.#running++;
    this.#leaveSoon();
    await this.#run(batch);
    this.#running--;
    this.#leaveSoon();
  }

  /** The items that have waited longest, as many as one statement takes. */
  #take(): readonly Waiting<Item, Outcome>[] {
    const { bytesOf = () => 0 } = this.batching;
    let bytes = 0;
    const isTooMuch = ({ item }: Waiting<Item, Outcome>) => (bytes += bytesOf(item)) > BYTES_MAX;
    const tooMuch = this.#waiting.findIndex(
      (one, index) => index === ITEMS_MAX || (isTooMuch(one) && index > 0),
    );
    return this.#waiting.splice(0, tooMuch === -1 ? this.#waiting.length : tooMuch);
  }

  /** Never rejects. A batch that PostgreSQL refuses is halved until the item at fault is alone. */
  async #run(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const inTime = withoutLate(batch);
    if (inTime.length === 0) return;
    batchSize.observe({ statement: this.batching.name }, inTime.length);
    try {
      const outcomes = await this.batching.run(inTime.map(({ item }) => item));
      for (const [index, { resolve }] of inTime.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      if (inTime.length === 1 || !isFaultOfItem(error)) return inTime.forEach(({ reject }) => reject(error));
      const half = Math.ceil(inTime.length / 2);
      await this.#run(inTime.slice(0, half));
      await this.#run(inTime.slice(half));
    }
  }
}

function withoutLate<Item, Outcome>(
  batch: readonly Waiting<Item, Outcome>[],
): readonly Waiting<Item, Outcome>[] {
  const now = Date.now();
  for (const { deadlineMs, reject } of batch) if (deadlineMs < now) reject(new DeadlinePassed());
  return batch.filter(({ deadlineMs }) => deadlineMs >= now);
}

/**
 * SQLSTATE classes of errors that one row can cause, and after which nothing was changed: cardinality, data, integrity,
 * conflicts of transactions, limits of the program, a lock that is not available, PL/pgSQL. After any other error, such as a
 * lost connection, the outcome may be unknown, and nothing is run a second time.
 */
function isFaultOfItem(error: unknown): boolean {
  return /^(?:21|22|23|40|44|54|55|P0)...$/.test(errorCodeOf(error) ?? '');
}
