import type { JsMsg } from '@nats-io/jetstream';
import type { Delivery } from '@vaultsvc/contracts';
import { statement, type Database, type Transaction } from '@vaultsvc/database';
import type { BoundConsumer } from './decorators.js';

/** SQLSTATE in_failed_sql_transaction: a refusal of the transaction, given by a PostgreSQL that is there. */
const TRANSACTION_FAILED = '25P02';

/**
 * What became of a batch. `failed`: something in it cannot be applied. `lost`: PostgreSQL or the connection to it went
 * away, which says nothing about the events.
 */
export type Attempt =
  { readonly result: 'applied' } | { readonly result: 'failed' | 'lost'; readonly error: unknown };

/**
 * Applies batches of events: the effects and their record in `processed` are one transaction.
 * @param durable the consumer's name in `processed`
 */
export class EventApplier {
  constructor(
    private readonly database: Database,
    private readonly durable: string,
    private readonly handlers: readonly BoundConsumer[],
  ) {}

  /** Whether this service applies events of this name at all; the filter subject is wider than that. */
  #concerns(eventName: string): boolean {
    return this.handlers.some(({ events }) => events.some(({ name }) => name === eventName));
  }

  /** Messages of one part are applied together; those of two, apart (`ConsumesBy`). */
  partOf(message: JsMsg): string {
    try {
      return this.#partOf(read(message));
    } catch {
      return ''; // not JSON: that is said when it is applied
    }
  }

  #partOf({ name, payload }: Delivery): string {
    const by = this.handlers.find(({ events }) => events.some((event) => event.name === name))?.by;
    return by === undefined ? '' : String((payload as Record<string, unknown>)[by]);
  }

  /** Applies all of the batch or nothing of it. Never rejects. */
  async apply(batch: readonly JsMsg[]): Promise<Attempt> {
    const blame: Blame = { result: 'failed' };
    try {
      await this.#transact(batch.map(read), blame);
      return { result: 'applied' };
    } catch (error) {
      return { ...blame, error };
    }
  }

  /** An error is the events' own only if PostgreSQL still answers on the connection on which it happened. */
  async #transact(received: readonly Delivery[], blame: Blame): Promise<void> {
    const deliveries = distinct(received).filter(({ name }) => this.#concerns(name));
    if (deliveries.length === 0) return;
    blame.result = 'lost';
    await this.database.transaction(async (tx) => {
      try {
        await this.#applyFresh(deliveries, tx);
      } catch (error) {
        if (await answers(tx)) blame.result = 'failed';
        throw error;
      }
    });
  }

  async #applyFresh(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const fresh = await this.#recordFresh(tx, deliveries);
    for (const { events, consume } of this.handlers) {
      const names = new Set<string>(events.map((event) => event.name));
      const own = deliveries.filter(({ id, name }) => fresh.has(id) && names.has(name));
      if (own.length > 0) await consume(own, tx);
    }
  }

  async #recordFresh(tx: Transaction, deliveries: readonly Delivery[]): Promise<ReadonlySet<string>> {
    const ids = deliveries.map(({ id }) => id);
    const rows = await tx.query<{ event_id: string }>(recordProcessed, [this.durable, ids]);
    return new Set(rows.map((row) => row.event_id));
  }
}

interface Blame {
  result: 'failed' | 'lost';
}

function read(message: JsMsg): Delivery {
  return message.json<Delivery>();
}

/** One event may be in a batch twice: published again under a new message id, or delivered again. */
function distinct(deliveries: readonly Delivery[]): Delivery[] {
  return [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
}

/** Asked of the transaction itself, so that no list of drivers' error messages decides what an outage is. */
function answers(tx: Transaction): Promise<boolean> {
  return tx.query(ping).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === TRANSACTION_FAILED,
  );
}

const ping = statement('consumer.ping-transaction', 'SELECT 1');

const recordProcessed = statement(
  'processed.record',
  `INSERT INTO processed (consumer, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING RETURNING event_id`,
);
