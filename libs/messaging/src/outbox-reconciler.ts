import { Logger } from '@nestjs/common';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { serviceContext, unprocessedOperation } from '@vaultsvc/contracts';
import { statement, type Database } from '@vaultsvc/database';
import type { Bus } from './bus.js';
import { OUTBOX_COLUMNS, toDelivery, type OutboxRow } from './outbox-relay.js';
import { EVENTS_STREAM } from './streams.js';

const ROUND_MS = 60_000;
const BATCH_MAX = 500;
const SETTLED_AFTER = '15 minutes';

/**
 * JetStream acknowledges before it is safe on disk, so an acknowledged event can still be lost. Some minutes
 * after sending, each consumer is asked which events it lacks; those are published again. Rows that everybody
 * has are confirmed, and removed after a week.
 */
export class OutboxReconciler {
  readonly #logger = new Logger('outbox');
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: NatsConnection,
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly service: string,
  ) {}

  start(): void {
    this.#timer = setInterval(() => void this.#tryRound(), ROUND_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #tryRound(): Promise<void> {
    try {
      const republished = await this.round();
      if (republished > 0) this.#logger.warn({ msg: 'events published again', count: republished });
    } catch (error) {
      this.#logger.warn({ msg: 'reconciliation waits for the next round', err: error });
    }
  }

  /** One round over the oldest unconfirmed rows; returns how many had to be published again. */
  async round(settledAfter = SETTLED_AFTER): Promise<number> {
    await this.database.query(deleteOld);
    await this.database.query(forgetProcessed);
    const rows = await this.database.query<OutboxRow & Record<string, unknown>>(unconfirmed, [settledAfter, BATCH_MAX]);
    if (rows.length === 0) return 0;
    const missing = await this.#missing(rows);
    await this.#republish(rows.filter(({ id }) => missing.has(id)));
    await this.database.query(confirm, [rows.filter(({ id }) => !missing.has(id)).map(({ seq }) => seq)]);
    return missing.size;
  }

  async #missing(rows: readonly OutboxRow[]): Promise<ReadonlySet<string>> {
    const events = rows.map(({ id, name }) => ({ id, name }));
    const missing = new Set<string>();
    for (const consumer of await this.#consumers()) {
      const service = consumer.slice(0, -`-${this.service}`.length);
      const operation = unprocessedOperation(service);
      const { ids } = await this.bus.call(operation, { body: { consumer, events } }, serviceContext('reconcile'));
      for (const id of ids) missing.add(id);
    }
    return missing;
  }

  /** Durables are named `<consuming service>-<publishing service>`. */
  async #consumers(): Promise<string[]> {
    const manager = await jetstreamManager(this.connection);
    const names: string[] = [];
    for await (const { name } of manager.consumers.list(EVENTS_STREAM)) {
      if (name.endsWith(`-${this.service}`)) names.push(name);
    }
    return names;
  }

  /** A new message id: the old one may still be inside the stream's duplicate window. */
  async #republish(rows: readonly OutboxRow[]): Promise<void> {
    const client = jetstream(this.connection);
    for (const row of rows) {
      await client.publish(`evt.${row.name}`, JSON.stringify(toDelivery(row)), { msgID: `${row.id}:${Date.now()}` });
    }
  }
}

const unconfirmed = statement(
  'outbox.unconfirmed',
  `SELECT ${OUTBOX_COLUMNS} FROM outbox
    WHERE confirmed_at IS NULL AND sent_at < now() - $1::interval ORDER BY seq LIMIT $2`,
);

const confirm = statement('outbox.confirm', `UPDATE outbox SET confirmed_at = now() WHERE seq = ANY($1::bigint[])`);

const deleteOld = statement(
  'outbox.delete-old',
  `DELETE FROM outbox WHERE seq IN (
     SELECT seq FROM outbox WHERE confirmed_at < now() - interval '7 days' ORDER BY seq LIMIT 5000)`,
);

/** Longer than any row can still be published again. */
const forgetProcessed = statement(
  'processed.forget',
  `DELETE FROM processed WHERE (consumer, event_id) IN (
     SELECT consumer, event_id FROM processed WHERE processed_at < now() - interval '9 days' LIMIT 5000)`,
);
