import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { eventNamed, serviceContext, unprocessedOperation, type EventReference } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';
import type { EventSigner } from '@vaultsvc/crypto/signature';
import type { Bus } from './bus.js';
import { inboxPrefix } from './connection.js';
import { eventSubject, packEvents } from './event-batch.js';
import { OUTBOX_COLUMNS, PUBLISH_TIMEOUT_MS, toDelivery, type OutboxRow } from './outbox-relay.js';
import { publishBatch } from './publish-batch.js';

const ROUND_MS = 60_000;
const BATCH_MAX = 500;
const SETTLED_AFTER = '15 minutes';
const DELETE_MAX = 5_000;

/**
 * Finds events that the stream lost after it acknowledged them (JetStream acknowledges before fsync). 15 minutes after
 * sending, the reconciler asks each declared consumer which events it has not processed and publishes those to it again. It deletes
 * the rows that every consumer has processed. Rows of events that this build does not declare are left to a newer instance.
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
    private readonly signer: EventSigner,
  ) {}

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#tryRound().finally(() => (this.#running = undefined));
    }, ROUND_MS).unref();
  }

  /** Ends the current round after its current batch. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #tryRound(): Promise<void> {
    try {
      const republished = await this.round();
      if (republished > 0) this.#logger.warn({ msg: 'events published again', count: republished });
      while (!this.#stopped && (await this.#deleteProcessed()) === DELETE_MAX);
    } catch (error) {
      this.#logger.warn({ msg: 'reconciliation waits for the next round', err: error });
    }
  }

  /** Reconciles all rows sent at least that long ago. Returns the number of events published again. */
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
    const { missing, unknown } = await this.#ask(known);
    for (const [consumer, ids] of missing)
      await this.#republish(
        consumer,
        known.filter(({ id }) => ids.has(id)),
      );
    const lost = new Set([...missing.values()].flatMap((ids) => [...ids]));
    const settledRows = known.filter(({ id }) => !lost.has(id) && !unknown.has(id));
    await this.database.query(remove, [settledRows.map(({ seq }) => seq)]);
    return lost.size;
  }

  /** Asks each declared consumer. Events of a consumer that does not reply stay in the outbox. */
  async #ask(rows: readonly OutboxRow[]): Promise<Answers> {
    const answers = { missing: new Map<string, ReadonlySet<string>>(), unknown: new Set<string>() };
    for (const [service, events] of byConsumer(rows)) {
      const body = { consumer: `${service}-${this.service}`, events };
      try {
        const { ids } = await this.bus.call(
          unprocessedOperation(service, [this.service]),
          { body },
          serviceContext('reconcile'),
        );
        answers.missing.set(service, new Set(ids));
      } catch (error) {
        this.#logger.warn({ msg: 'a consumer cannot be asked', consumer: body.consumer, err: error });
        for (const { id } of events) answers.unknown.add(id);
      }
    }
    return answers;
  }

  /** Publishes under a new message id, because the old one may be within the stream's duplicate window. */
  async #republish(consumer: string, rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length === 0) return;
    const message = packEvents(this.signer, eventSubject(this.service, consumer), rows.map(toDelivery));
    const inbox = createInbox(inboxPrefix(this.service));
    await publishBatch(this.connection, inbox, [{ ...message, id: randomUUID() }], PUBLISH_TIMEOUT_MS);
    await this.database.query(markRepublished, [rows.map(({ seq }) => seq)]);
  }

  async #deleteProcessed(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(deleteProcessed, [DELETE_MAX]);
    return row?.count ?? 0;
  }
}

/** Ids of the events that each consumer has not processed, and of those whose consumer did not reply. */
interface Answers {
  readonly missing: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unknown: ReadonlySet<string>;
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
 * Pages by primary key. Rows older than the consumers' record of processed events stay for an operator: publishing them again
 * could apply them twice.
 */
const settled = statement(
  'outbox.settled',
  `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE sent_at < now() - $1::interval AND occurred_at > now() - interval '8 days' AND seq > $2 ORDER BY seq LIMIT $3`,
);

const remove = statement('outbox.remove', `DELETE FROM outbox WHERE seq = ANY($1::bigint[])`);

const markRepublished = statement(
  'outbox.mark-republished',
  `UPDATE outbox SET sent_at = now() WHERE seq = ANY($1::bigint[])`,
);

/** Nine days: longer than the stream retains an event and could redeliver it. */
const deleteProcessed = statement(
  'processed.delete-old',
  `WITH deleted AS (
     DELETE FROM processed WHERE (consumer, event_id) IN (
       SELECT consumer, event_id FROM processed WHERE processed_at < now() - interval '9 days' LIMIT $1)
     RETURNING 1)
   SELECT count(*) AS count FROM deleted`,
);
