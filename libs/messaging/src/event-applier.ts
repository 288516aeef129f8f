import type { Delivery, EventReference } from '@vaultsvc/contracts';
import {
  errorCodeOf,
  isUniqueViolation,
  type Database,
  statement,
  type Transaction,
} from '@vaultsvc/database';
import type { Consumer, Consumption } from './decorators.js';

/** SQLSTATE in_failed_sql_transaction: the connection works and the transaction has failed. */
const TRANSACTION_FAILED = '25P02';

/** The events of a consumer, and the method that applies them. */
export interface BoundConsumer extends Consumption {
  readonly consume: Consumer<object>;
}

/**
 * The outcome of a batch. `failed`: an event in it cannot be applied. `lost`: the connection or PostgreSQL failed, which says
 * nothing about the events.
 */
export type Attempt =
  | { readonly result: 'applied' }
  | { readonly result: 'failed' | 'lost'; readonly error: unknown };

/**
 * Applies batches of events. The effects and their rows in `processed` commit in one transaction.
 * @param durable the consumer's name in `dead_letters`
 */
export class EventApplier {
  readonly #handlers: readonly BoundConsumer[];
  readonly #repeatHandlers: readonly BoundConsumer[];

  constructor(
    private readonly database: Database,
    private readonly durable: string,
    handlers: readonly BoundConsumer[],
  ) {
    this.#handlers = handlers.filter(({ repeats }) => !repeats);
    this.#repeatHandlers = handlers.filter(({ repeats }) => repeats);
  }

  /** Whether this build applies events of this name. */
  applies(eventName: string): boolean {
    return this.#handlers.some(({ events }) => events.some(({ name }) => name === eventName));
  }

  /** The partition of an event (`ConsumesPartitioned`): one transaction never spans two of them. */
  partitionOf({ name, payload }: Delivery): string {
    const by = this.#handlers.find(({ events }) => events.some((event) => event.name === name))?.by;
    return by === undefined ? '' : String((payload as Record<string, unknown>)[by]);
  }

  /**
   * Applies all of the events or none. Never rejects.
   * @param before runs first in the transaction
   */
  async apply(
    deliveries: readonly Delivery[],
    before: (tx: Transaction) => Promise<void> = nothing,
  ): Promise<Attempt> {
    const blame: Blame = { result: 'failed' };
    try {
      await this.#transact(deliveries, blame, before);
      return { result: 'applied' };
    } catch (error) {
      // Another instance has just applied one of them, which was delivered again: a second look finds its row.
      return isUniqueViolation(error, 'processed_pkey')
        ? this.apply(deliveries, before)
        : { ...blame, error };
    }
  }

  /** An error is attributed to the events only if PostgreSQL still replies on the same connection. */
  async #transact(
    deliveries: readonly Delivery[],
    blame: Blame,
    before: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    blame.result = 'lost';
    await this.database.transaction(async (tx) => {
      try {
        await before(tx);
        await this.#applyFresh(deliveries, tx);
      } catch (error) {
        if (await answers(tx)) blame.result = 'failed';
        throw error;
      }
    });
  }

  async #applyFresh(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const ids = await this.#recordFresh(tx, deliveries);
    const fresh = deliveries.filter(({ id }) => ids.delete(id)); // the first of several with the same id
    await pass(fresh, this.#handlers, tx);
    if (fresh.length === deliveries.length) return;
    const first = new Set(fresh);
    const repeated = deliveries.filter((delivery) => !first.has(delivery));
    await pass(repeated, this.#repeatHandlers, tx);
  }

  async #recordFresh(tx: Transaction, deliveries: readonly Delivery[]): Promise<Set<string>> {
    // One event may come twice: republished in another message, or redelivered.
    const ids = new Set(deliveries.map(({ id }) => id));
    const rows = await tx.query<{ event_id: string }>(recordProcessed, [this.durable, [...ids]]);
    return new Set(rows.map((row) => row.event_id));
  }
}

async function pass(
  deliveries: readonly Delivery[],
  handlers: readonly BoundConsumer[],
  tx: Transaction,
): Promise<void> {
  for (const { events, consume } of handlers) {
    const names = new Set<string>(events.map((event) => event.name));
    const own = deliveries.filter(({ name }) => names.has(name));
    if (own.length > 0) await consume(own, tx);
  }
}

const nothing = () => Promise.resolve();

interface Blame {
  result: 'failed' | 'lost';
}

/** Pings through the transaction itself, so that outages are not recognised by drivers' error messages. */
function answers(tx: Transaction): Promise<boolean> {
  return tx.query(ping).then(
    () => true,
    (error: unknown) => errorCodeOf(error) === TRANSACTION_FAILED,
  );
}

const ping = statement('consumer.ping-transaction', 'SELECT 1');

/** Events among the dead letters wait for an operator; they come again with others of their message. */
const recordProcessed = statement(
  'processed.record',
  `INSERT INTO processed (event_id)
   SELECT id FROM unnest($2::uuid[]) AS received (id)
    WHERE NOT EXISTS (SELECT 1 FROM processed WHERE event_id = id)
      AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE consumer = $1 AND event_id = id::text)
   RETURNING event_id`,
);

/**
 * Handles `<service>.unprocessed`: the events that this consumer has neither applied nor moved to the dead letters, which
 * wait for an operator. An event that this build does not declare is unprocessed: its publisher resends it until an instance
 * of the newer release applies it.
 */
export async function findUnprocessed(
  database: Database,
  consumer: { readonly durable: string } | undefined,
  events: readonly EventReference[],
): Promise<string[]> {
  // The declaration names this service, but this build has no consumer for them yet.
  if (!consumer) return events.map(({ id }) => id);
  const ids = events.map(({ id }) => id);
  const rows = await database.query<{ id: string }>(selectUnprocessed, [consumer.durable, ids]);
  return rows.map(({ id }) => id);
}

const selectUnprocessed = statement(
  'processed.select-unprocessed',
  `SELECT asked.id::text AS id FROM unnest($2::uuid[]) AS asked (id)
    WHERE NOT EXISTS (SELECT 1 FROM processed WHERE event_id = asked.id)
      AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE consumer = $1 AND event_id = asked.id::text)`,
);
