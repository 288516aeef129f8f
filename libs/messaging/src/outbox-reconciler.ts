import { Logger } from '@nestjs/common';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventNamed, serviceContext, unprocessedOperation, type EventReference } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';
import type { Bus } from './bus.js';
import { OUTBOX_COLUMNS, toDelivery, type OutboxRow } from './outbox-relay.js';

const ROUND_MS = 60_000;
const BATCH_MAX = 500;
const SETTLED_AFTER = '15 minutes';
const FORGET_MAX = 5_000;

/**
 * JetStream acknowledges before it is safe on disk, so an acknowledged event can still be lost. Some minutes
 * after sending, each consumer is asked which events it lacks; those are published again. Rows that everybody
 * has are removed: the outbox holds what may still be needed, and no more. A row whose event this build does not
 * declare is left to one that does.
 */
export class OutboxReconciler {
  readonly #logger = new Logger('outbox');
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly connection: NatsConnection,
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly service: string,
  ) {}

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#tryRound().finally(() => (this.#running = undefined));
    }, ROUND_MS).unref();
  }

  /** Ends the round under way after its current batch. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #tryRound(): Promise<void> {
    try {
      const republished = await this.round();
      if (republished > 0) this.#logger.warn({ msg: 'events published again', count: republished });
      while (!this.#stopped && (await this.#forgetProcessed()) === FORGET_MAX);
    } catch (error) {
      this.#logger.warn({ msg: 'reconciliation waits for the next round', err: error });
    }
  }

  /** One round over all rows that were sent that long ago; returns how many had to be published again. */
  async round(settledAfter = SETTLED_AFTER): Promise<number> {
    let republished = 0;
    let rows: OutboxRow[];
    let last = 0;
    do {
      rows = await this.database.query<OutboxRow>(settled, [settledAfter, last, BATCH_MAX]);
      last = rows.at(-1)?.seq ?? last;
      republished += await this.#reconcile(rows);
    } while (rows.length === BATCH_MAX && !this.#stopped);
    return republished;
  }

  async #reconcile(rows: readonly OutboxRow[]): Promise<number> {
    const known = rows.filter(({ name }) => eventNamed(name));
    if (known.length === 0) return 0;
    const { missing, unsure } = await this.#ask(known);
    await this.#republish(known.filter(({ id }) => missing.has(id)));
    const settledRows = known.filter(({ id }) => !missing.has(id) && !unsure.has(id));
    await this.database.query(remove, [settledRows.map(({ seq }) => seq)]);
    return missing.size;
  }

  /** Asks each service that must apply them. What one that is away has to say is not known: its events stay. */
  async #ask(rows: readonly OutboxRow[]): Promise<Answers> {
    const answers = { missing: new Set<string>(), unsure: new Set<string>() };
    for (const [service, events] of byConsumer(rows)) {
      const body = { consumer: `${service}-${this.service}`, events };
      try {
        const { ids } = await this.bus.call(
          unprocessedOperation(service),
          { body },
          serviceContext('reconcile'),
        );
        for (const id of ids) answers.missing.add(id);
      } catch (error) {
        this.#logger.warn({ msg: 'a consumer cannot be asked', consumer: body.consumer, err: error });
        for (const { id } of events) answers.unsure.add(id);
      }
    }
    return answers;
  }

  /** A new message id: the old one may still be inside the stream's duplicate window. They settle anew. */
  async #republish(rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length === 0) return;
    const client = jetstream(this.connection);
    for (const row of rows) {
      await client.publish(`evt.${row.name}`, JSON.stringify(toDelivery(row)), {
        msgID: `${row.id}:${Date.now()}`,
      });
    }
    await this.database.query(sentAgain, [rows.map(({ seq }) => seq)]);
  }

  async #forgetProcessed(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(forgetProcessed, [FORGET_MAX]);
    return row?.count ?? 0;
  }
}

/** Ids of events that some service lacks, and of those that some service could not be asked about. */
interface Answers {
  readonly missing: ReadonlySet<string>;
  readonly unsure: ReadonlySet<string>;
}

function byConsumer(rows: readonly OutboxRow[]): ReadonlyMap<string, EventReference[]> {
  const events = new Map<string, EventReference[]>();
  for (const { id, name } of rows) {
    for (const service of eventNamed(name)?.consumers ?? [])
      events.set(service, [...(events.get(service) ?? []), { id, name }]);
  }
  return events;
}

/**
 * By the primary key: all that is left in the outbox is what has not been removed yet. Rows that are older than what
 * consumers remember stay for an operator: to publish them again could apply them twice.
 */
const settled = statement(
  'outbox.settled',
  `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE sent_at < now() - $1::interval AND occurred_at > now() - interval '8 days' AND seq > $2 ORDER BY seq LIMIT $3`,
);

const remove = statement('outbox.remove', `DELETE FROM outbox WHERE seq = ANY($1::bigint[])`);

const sentAgain = statement(
  'outbox.sent-again',
  `UPDATE outbox SET sent_at = now() WHERE seq = ANY($1::bigint[])`,
);

/** Longer than the stream keeps an event that could be delivered again. */
const forgetProcessed = statement(
  'processed.forget',
  `WITH forgotten AS (
     DELETE FROM processed WHERE (consumer, event_id) IN (
       SELECT consumer, event_id FROM processed WHERE processed_at < now() - interval '9 days' LIMIT $1)
     RETURNING 1)
   SELECT count(*) AS count FROM forgotten`,
);
