import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { eventNamed, serviceContext, unprocessedOperation } from '@vaultsvc/contracts';
import { statement, type Database, type Statement } from '@vaultsvc/database';
import type { EventSigner } from '@vaultsvc/crypto/signature';
import type { Bus } from './bus.js';
import { inboxPrefix } from './connection.js';
import { deleteExpiredKeys } from './idempotent-calls.js';
import { eventSubject, packEvents } from './event-batch.js';
import {
  eventsByConsumer,
  PUBLISH_TIMEOUT_MS,
  toDelivery,
  type OutboxRow,
  type ConsumerEvents,
} from './outbox-relay.js';
import { publishBatch } from './publish-batch.js';
import { durableName } from './shard-names.js';

const ROUND_MS = 60_000;
const SETTLED_AFTER = '15 minutes';
const DELETE_MAX = 5_000;

/**
 * Finds events that the stream lost after it acknowledged them (JetStream acknowledges before fsync). 15 minutes after
 * sending, the reconciler asks each declared consumer which events of a batch it has not processed and publishes those to it
 * again. It deletes the batch once every consumer has processed its events. A batch with an event that this build does not
 * declare is left to a newer instance.
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
      while (!this.#stopped && (await this.#delete(deleteProcessed)) === DELETE_MAX);
      while (!this.#stopped && (await this.#delete(deleteExpiredKeys)) === DELETE_MAX);
    } catch (error) {
      this.#logger.warn({ msg: 'reconciliation waits for the next round', err: error });
    }
  }

  /** Reconciles all batches sent at least that long ago. Returns the number of events published again. */
  async round(settledAfter = SETTLED_AFTER): Promise<number> {
    let republished = 0;
    let last = 0;
    while (!this.#stopped) {
      const [batch] = await this.database.query<SentBatch>(nextSettled, [settledAfter, last]);
      if (!batch) break;
      last = batch.seq;
      republished += await this.#reconcile(batch);
    }
    return republished;
  }

  async #reconcile({ seq, events }: SentBatch): Promise<number> {
    const known = events.filter(({ name }) => eventNamed(name));
    const { missing, isComplete } = await this.#ask(known);
    for (const group of missing) await this.#republish(group);
    const lost = new Set(missing.flatMap(({ events: unprocessed }) => unprocessed.map(({ id }) => id)));
    if (lost.size > 0) await this.database.query(markRepublished, [seq]);
    else if (isComplete && known.length === events.length) await this.database.query(remove, [seq]);
    return lost.size;
  }

  /** Asks each declared consumer. Events of a consumer that does not reply stay in the outbox. */
  async #ask(rows: readonly OutboxRow[]): Promise<Answers> {
    const answers = { missing: [] as ConsumerEvents[], isComplete: true };
    for (const group of eventsByConsumer(rows)) {
      try {
        answers.missing.push({ ...group, events: await this.#unprocessedOf(group) });
      } catch (error) {
        this.#logger.warn({
          msg: 'a consumer cannot be asked',
          consumer: this.#durableOf(group),
          err: error,
        });
        answers.isComplete = false;
      }
    }
    return answers;
  }

  async #unprocessedOf(group: ConsumerEvents): Promise<readonly OutboxRow[]> {
    const { consumer, shard, events } = group;
    const body = {
      consumer: this.#durableOf(group),
      events: events.map(({ id, name }) => ({ id, name })),
    };
    const { ids } = await this.bus.callShard(
      unprocessedOperation(consumer, [this.service]),
      { body },
      serviceContext({ requestId: 'reconcile' }),
      shard,
    );
    return events.filter(({ id }) => ids.includes(id));
  }

  #durableOf({ consumer, shard }: ConsumerEvents): string {
    return durableName(consumer, this.service, shard);
  }

  /** Publishes under a new message id, because the old one may be within the stream's duplicate window. */
  async #republish({ consumer, shard, events }: ConsumerEvents): Promise<void> {
    if (events.length === 0) return;
    const subject = eventSubject(this.service, consumer, shard);
    const message = packEvents(this.signer, subject, events.map(toDelivery));
    const inbox = createInbox(inboxPrefix(this.service));
    await publishBatch(this.connection, inbox, [{ ...message, id: randomUUID() }], PUBLISH_TIMEOUT_MS);
  }

  async #delete(expired: Statement): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(expired, [DELETE_MAX]);
    return row?.count ?? 0;
  }
}

/** The events that each consumer has not processed, and whether every consumer has replied. */
interface Answers {
  readonly missing: readonly ConsumerEvents[];
  readonly isComplete: boolean;
}

interface SentBatch {
  readonly seq: number;
  readonly events: readonly OutboxRow[];
}

/**
 * Pages by primary key. Batches older than the consumers' record of processed events stay for an operator: publishing them
 * again could apply them twice.
 */
const nextSettled = statement(
  'outbox.next-settled',
  `SELECT seq, events FROM sent_batches
    WHERE sent_at < now() - $1::interval AND occurred_at > now() - interval '8 days' AND seq > $2 ORDER BY seq LIMIT 1`,
);

const remove = statement('outbox.remove-batch', `DELETE FROM sent_batches WHERE seq = $1`);

const markRepublished = statement(
  'outbox.mark-republished',
  `UPDATE sent_batches SET sent_at = now() WHERE seq = $1`,
);

/** Nine days: longer than the stream retains an event and could redeliver it. */
const deleteProcessed = statement(
  'processed.delete-old',
  `WITH deleted AS (
     DELETE FROM processed WHERE event_id IN (
       SELECT event_id FROM processed WHERE processed_at < now() - interval '9 days' LIMIT $1)
     RETURNING 1)
   SELECT count(*) AS count FROM deleted`,
);
