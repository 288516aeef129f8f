import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { eventNamed, eventNamesOf, type Delivery } from '@vaultsvc/contracts';
import type { EventSigner } from '@vaultsvc/crypto/signature';
import { statement, type Database } from '@vaultsvc/database';
import { inboxPrefix } from './connection.js';
import { eventSubject, packEvents } from './event-batch.js';
import { publishBatch } from './publish-batch.js';
import { shardsOfEvent } from './shard-routing.js';
import { ensureStream, type EventStream } from './streams.js';

const BATCH_MAX = 256;
const POLL_MS = 1_000;
/** Short: a NATS server that died acknowledges nothing, and the batch is published again. */
export const PUBLISH_TIMEOUT_MS = 2_000;
/**
 * Delays that let events accumulate: a batch of any size costs a dozen round trips here and at its consumer. After a pause the
 * first event leaves soon; while events keep coming they leave five times a second.
 */
const GATHER_MS = 50;
const GATHER_MORE_MS = 200;

/** A row of the outbox, as `sent_batches` keeps it. */
export interface OutboxRow {
  readonly id: string;
  readonly name: string;
  readonly account_id: string | null;
  readonly request_id: string | null;
  readonly occurred_at_ms: number;
  readonly payload: object;
  readonly trace?: string | null;
}

/**
 * Publishes the events of the outbox to their stream, one signed message for each consumer, and moves them to
 * `sent_batches` once the stream has acknowledged them. Events that this build does not declare are left to a newer instance.
 * The rows of a batch stay locked until then, and relays of other instances skip them. Rows are not paged by `seq`:
 * transactions commit out of sequence order, and such paging would lose rows.
 */
export class OutboxRelay {
  readonly #logger = new Logger('outbox');
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: NatsConnection,
    private readonly database: Database,
    private readonly service: string,
    private readonly signer: EventSigner,
    private readonly stream: EventStream,
  ) {}

  start(): void {
    this.#loop = this.#run();
  }

  /** Stops the loop after one last batch. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let sentAtMs = -Infinity;
    await this.#ensureStream();
    while (!signal.aborted) {
      const sent = await this.#trySend();
      if (sent === BATCH_MAX) continue;
      while (
        !(await this.database.nextPublication(POLL_MS, signal)) &&
        !signal.aborted &&
        !(await this.#hasUnsent())
      );
      await delay(performance.now() - sentAtMs < GATHER_MORE_MS ? GATHER_MORE_MS : GATHER_MS);
      sentAtMs = performance.now();
    }
    await this.#trySend();
  }

  /** A poll of an idle service: one round trip, where an empty batch would take three. */
  async #hasUnsent(): Promise<boolean> {
    const values = [eventNamesOf(this.service)];
    return this.database.query(hasUnsent, values).then(
      (rows) => rows.length > 0,
      () => true, // the attempt to send reports the error
    );
  }

  async #trySend(): Promise<number> {
    try {
      return await this.sendBatch();
    } catch (error) {
      this.#logger.warn({ msg: 'events wait in the outbox', err: error });
      await this.#ensureStream();
      return 0;
    }
  }

  async #ensureStream(): Promise<void> {
    await ensureStream(this.connection, this.stream).catch((error: unknown) =>
      this.#logger.warn({ msg: 'the stream of events cannot be made', err: error }),
    );
  }

  /** Publishes one batch, and keeps it as sent after all acknowledgements. Returns the number of events. */
  sendBatch(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.query<OutboxRow>(moveUnsent, [BATCH_MAX, eventNamesOf(this.service)]);
      if (rows.length > 0) await this.#publish(rows);
      return rows.length;
    });
  }

  #publish(rows: readonly OutboxRow[]): Promise<void> {
    const messages = eventsByConsumer(rows).map(({ consumer, shard, events }) =>
      packEvents(this.signer, eventSubject(this.service, consumer, shard), events.map(toDelivery)),
    );
    if (messages.length === 0) return Promise.resolve();
    const inbox = createInbox(inboxPrefix(this.service)); // a new inbox, so that a late acknowledgement counts for no other batch
    return publishBatch(this.connection, inbox, messages, PUBLISH_TIMEOUT_MS);
  }
}

/** A service, or a shard of one, and the events that it must apply. */
export interface ConsumerEvents {
  readonly consumer: string;
  readonly shard: number;
  readonly events: readonly OutboxRow[];
}

/** The declared consumers of these events. */
export function eventsByConsumer(rows: readonly OutboxRow[]): readonly ConsumerEvents[] {
  const groups = new Map<string, ConsumerEvents & { events: OutboxRow[] }>();
  for (const row of rows) {
    for (const { consumer, shard } of consumersOf(row)) {
      const key = eventSubject('', consumer, shard);
      const known = groups.get(key) ?? { consumer, shard, events: [] };
      known.events.push(row);
      groups.set(key, known);
    }
  }
  return [...groups.values()];
}

function consumersOf(row: OutboxRow): readonly Pick<ConsumerEvents, 'consumer' | 'shard'>[] {
  const consumers = eventNamed(row.name)?.consumers ?? [];
  return consumers.flatMap((consumer) => shardsOfEvent(consumer, row).map((shard) => ({ consumer, shard })));
}

export function toDelivery(row: OutboxRow): Delivery {
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    requestId: row.request_id,
    occurredAtMs: row.occurred_at_ms,
    payload: row.payload,
    ...(row.trace && { trace: row.trace }),
  };
}

const hasUnsent = statement('outbox.has-unsent', `SELECT 1 FROM outbox WHERE name = ANY($1::text[]) LIMIT 1`);

/**
 * Of the transaction that publishes. A crash before its commit leaves the events in the outbox, and so does a crash of
 * PostgreSQL soon after: the commit does not wait for the disk. They are then published again.
 */
const moveUnsent = statement(
  'outbox.move-unsent',
  `WITH moved AS (
     DELETE FROM outbox WHERE seq IN (
       SELECT seq FROM outbox WHERE name = ANY($2::text[]) ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING seq, id, name, account_id, request_id, payload, trace, (extract(epoch FROM occurred_at) * 1000)::bigint AS occurred_at_ms),
   kept AS (
     INSERT INTO sent_batches (events, occurred_at)
     SELECT json_agg(row_to_json(moved) ORDER BY seq), to_timestamp(min(occurred_at_ms) / 1000.0) FROM moved HAVING count(*) > 0)
   SELECT id, name, account_id, request_id, payload, trace, occurred_at_ms, set_config('synchronous_commit', 'off', true)
     FROM moved ORDER BY seq`,
);
