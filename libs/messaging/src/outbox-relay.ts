import { Logger } from '@nestjs/common';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import type { Delivery } from '@vaultsvc/contracts';
import { statement, type Database, type Queryable } from '@vaultsvc/database';
import { inboxPrefix } from './connection.js';
import type { Outbox } from './outbox.js';
import { publishBatch } from './publish-batch.js';
import { ensureEventsStream } from './streams.js';

const BATCH_MAX = 256;
const POLL_MS = 1_000;
/** Short, because what a NATS that died had received is not answered; it is published again. */
const PUBLISH_TIMEOUT_MS = 2_000;
/** Time for more rows to arrive: a batch costs two flushes and eleven round trips here and at its consumer, however small. */
const GATHER_MS = 50;

export interface OutboxRow {
  seq: number;
  id: string;
  name: string;
  account_id: string | null;
  request_id: string | null;
  occurred_at_ms: number;
  payload: object;
}

/**
 * Publishes outbox rows and marks them sent when the stream has stored them. Rows are locked while they are
 * under way and skipped by other copies. Not paged by "seq greater than last seen": sequences commit out of
 * order, and such paging loses rows.
 */
export class OutboxRelay {
  readonly #logger = new Logger('outbox');
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: NatsConnection,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly service: string,
    private readonly replicas = 1,
  ) {}

  start(): void {
    this.#loop = this.#run();
  }

  /** Sends what is there a last time, then stops. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    await this.#ensureStream();
    while (!signal.aborted) {
      const sent = await this.#trySend();
      if (sent === BATCH_MAX) continue;
      await this.outbox.nextWake(POLL_MS, signal);
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
    await this.#trySend();
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
    await ensureEventsStream(this.connection, this.replicas).catch(() => undefined); // the next send reports that it is not there
  }

  /** One batch: lock, publish, wait for every acknowledgement, mark. Returns how many were sent. */
  sendBatch(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.query<OutboxRow>(lockUnsent, [BATCH_MAX]);
      if (rows.length === 0) return 0;
      await this.#publish(rows);
      await markSent(tx, rows);
      return rows.length;
    });
  }

  #publish(rows: readonly OutboxRow[]): Promise<void> {
    const messages = rows.map((row) => ({
      subject: `evt.${row.name}`,
      data: JSON.stringify(toDelivery(row)),
      id: row.id,
    }));
    const inbox = createInbox(inboxPrefix(this.service)); // a new one, so that late answers count for no other batch
    return publishBatch(this.connection, inbox, messages, PUBLISH_TIMEOUT_MS);
  }
}

export function toDelivery(row: OutboxRow): Delivery {
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    requestId: row.request_id,
    occurredAtMs: row.occurred_at_ms,
    payload: row.payload,
  };
}

async function markSent(tx: Queryable, rows: readonly OutboxRow[]): Promise<void> {
  await tx.query(markRowsSent, [rows.map((row) => row.seq)]);
}

export const OUTBOX_COLUMNS = `seq, id, name, account_id, request_id, payload,
  (extract(epoch FROM occurred_at) * 1000)::bigint AS occurred_at_ms`;

const lockUnsent = statement(
  'outbox.lock-unsent',
  `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE sent_at IS NULL ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED`,
);

const markRowsSent = statement(
  'outbox.mark-sent',
  `UPDATE outbox SET sent_at = now() WHERE seq = ANY($1::bigint[])`,
);
