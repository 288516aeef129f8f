import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { event, Text, type Delivery } from '@vaultsvc/contracts';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { defineService, type RunningService } from '@vaultsvc/service';
import {
  allowConnections,
  endConnections,
  refuseConnections,
  rowsOf,
  startHarness,
  type Harness,
} from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { publishSigned, signedEvents, verifierOf } from '@vaultsvc/testing/wire';
import pg from 'pg';
import { EventConsumer } from './event-consumer.js';
import type { BoundConsumer } from './event-applier.js';
import { serviceStorage, EVENTS_STREAM, eventSubject } from './index.js';
import { findUnprocessed } from './event-applier.js';

class Fact {
  @Text({ max: 100 }) item: string;
}
const happened = event({ name: 'source.happened', payload: Fact, consumers: ['sink'] });

@Module({})
class SinkModule {}
const sink = defineService({
  name: 'sink',
  config: StatefulConfig,
  module: SinkModule,
  storage: serviceStorage(),
});

/** Tells how often PostgreSQL turned a single statement away. */
class WatchedDatabase extends Database {
  refusals = 0;

  override query: Database['query'] = (...args) =>
    super.query<never>(...args).catch((error: unknown) => {
      this.refusals++;
      throw error;
    });
}

/** Holds attempts inside their transaction until the test lets them go on. */
class Turnstile {
  #isClosed = false;
  #held: (() => void)[] = [];
  attempts = 0;
  /** How many events each attempt had. */
  readonly sizes: number[] = [];

  close(): void {
    this.#isClosed = true;
  }
  open(): void {
    this.#isClosed = false;
    this.letGo();
  }
  letGo(): void {
    for (const go of this.#held.splice(0)) go();
  }
  pass(size = 1): Promise<void> {
    this.attempts++;
    this.sizes.push(size);
    return this.#isClosed ? new Promise((go) => this.#held.push(go)) : Promise.resolve();
  }
  async untilHeld(): Promise<void> {
    await eventually(() => this.#held.length, Boolean);
  }
}

const applyFact = statement('test.apply', `SELECT 1`);
const waitBriefly = statement('test.wait-briefly', `SET LOCAL lock_timeout = '50ms'`);
const acquireLock = statement('test.take-lock', `SELECT pg_advisory_xact_lock(7)`);
const endOwnSession = statement('test.end', `SELECT pg_terminate_backend(pg_backend_pid())`);

let harness: Harness;
let service: RunningService;
let admin: pg.Client;
let database: WatchedDatabase;
let turnstile: Turnstile;
let consumer: EventConsumer;

beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  service = await harness.start(sink);
  admin = new pg.Client({ connectionString: (await harness.schema('sink')).adminUrl });
  await admin.connect();
});
beforeEach(async () => {
  database = new WatchedDatabase(service.context.get(Database).dataSource);
  turnstile = new Turnstile();
  consumer = await startConsumer();
});
// A test that failed during an outage must not fail the others.
afterEach(async () => {
  turnstile.open();
  await letIn();
  await consumer.stop();
});
afterAll(async () => {
  await admin.end();
  await harness.stop();
});

/** Failures follow one another at once, but for those that a test wants to look at in between. */
async function startConsumer(retryAfterMs = [1], how: Partial<BoundConsumer> = {}): Promise<EventConsumer> {
  const applying = { events: [happened], consume, ...how };
  const made = new EventConsumer(harness.connection, database, 'sink', 'source', [applying], {
    verifier: verifierOf('source'),
    retryAfterMs,
  });
  await made.start();
  return made;
}

async function consume(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
  await turnstile.pass(deliveries.length);
  const items = deliveries.map(({ payload }) => (payload as Fact).item);
  if (items.includes('poison')) throw new Error('cannot be applied');
  await tx.query(items.includes('deadly') ? endOwnSession : applyFact);
}

async function waitInVain(tx: Transaction): Promise<void> {
  await tx.query(waitBriefly);
  await tx.query(acquireLock);
}

let last = 0;
async function publish(...items: string[]): Promise<string[]> {
  const ids = items.map(() => `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`);
  const common = { name: happened.name, accountId: null, requestId: null, occurredAtMs: 1 };
  await Promise.all(
    items.map((item, i) =>
      publishSigned(
        harness.connection,
        signedEvents('source', 'sink', { ...common, id: ids[i] ?? '', payload: { item } }),
      ),
    ),
  );
  return ids;
}

const endSessions = async () => endConnections(admin, await harness.schema('sink'));
const cutOff = async () => refuseConnections(admin, await harness.schema('sink'));
const letIn = async () => allowConnections(admin, await harness.schema('sink'));

/** Of no service's pool: its connections are ended here. */
const processed = async (ids: readonly string[]) => {
  const { schema } = await harness.schema('sink');
  return (await admin.query(`SELECT 1 FROM ${schema}.processed WHERE event_id = ANY($1)`, [ids])).rows;
};
const untilProcessed = (ids: readonly string[]) =>
  eventually(
    () => processed(ids),
    (rows) => rows.length === ids.length,
  );
const deadLetters = () =>
  rowsOf(service, `SELECT event_id, delivery, error FROM dead_letters ORDER BY failed_at`);
const info = async () =>
  (await jetstreamManager(harness.connection)).consumers.info(EVENTS_STREAM, 'sink-source');
/** How often JetStream has delivered anything. */
const deliveries = async () => (await info()).delivered.consumer_seq;
const untilSettled = () =>
  eventually(info, ({ num_ack_pending, num_pending }) => num_ack_pending + num_pending === 0);

/** PostgreSQL goes away under the transaction that is open, is asked for in vain, and comes back. */
async function outage(): Promise<void> {
  await turnstile.untilHeld();
  await cutOff();
  const before = database.refusals;
  turnstile.letGo();
  await eventually(
    () => database.refusals,
    (now) => now > before,
  );
  await letIn();
}

describe('A consumer during an outage of PostgreSQL', () => {
  it('applies an event on its first delivery, after twelve lost connections', async () => {
    const before = await deliveries();
    turnstile.close();
    const ids = await publish('patient');
    for (let i = 0; i < 12; i++) await outage();
    turnstile.open();
    await untilProcessed(ids);
    expect(turnstile.attempts).toBe(13);
    expect(await deliveries()).toBe(before + 1);
    expect(await deadLetters()).toEqual([]);
  });

  it('applies an interrupted batch as a whole', async () => {
    await consumer.stop();
    const before = await deliveries();
    const ids = await publish(...Array.from({ length: 40 }, (_, i) => `whole ${i}`));
    turnstile.close();
    consumer = await startConsumer();
    await outage();
    turnstile.open();
    await untilProcessed(ids);
    const [cutOffWith, againWith] = turnstile.sizes; // the others may have come in packets of their own
    expect(againWith).toBe(cutOffWith);
    expect(await deliveries()).toBe(before + ids.length);
  });

  it('does not count one lost connection as a failure while PostgreSQL accepts new ones', async () => {
    const before = await deliveries();
    turnstile.close();
    const ids = await publish('reconnected');
    await turnstile.untilHeld();
    await endSessions();
    turnstile.open();
    await untilProcessed(ids);
    expect(await deliveries()).toBe(before + 1);
  });

  it('moves an event that loses every connection to the dead letters, without blocking others', async () => {
    const [deadly, ...others] = await publish(
      'deadly',
      ...Array.from({ length: 20 }, (_, i) => `beside ${i}`),
    );
    await untilProcessed(others);
    const [letter] = await eventually(deadLetters, (rows) => rows.length > 0);
    expect(letter).toMatchObject({ event_id: deadly });
    await untilSettled();
  });
});

describe('An event that this build does not apply yet', () => {
  it('is reported as unprocessed, so that its publisher keeps it for a newer instance', async () => {
    const event = { id: randomUUID(), name: 'source.of-a-later-release' };
    expect(await findUnprocessed(database, consumer, [event])).toEqual([event.id]);
  });
});

describe('An event that cannot be applied', () => {
  beforeEach(() => rowsOf(service, `DELETE FROM dead_letters`));

  /** Takes deliveries and gives them back, as copies do that are killed or stopped. */
  async function exhaust(count: number): Promise<void> {
    const pull = await jetstream(harness.connection).consumers.get(EVENTS_STREAM, 'sink-source');
    for (let i = 0; i < count; i++) (await pull.next({ expires: 5_000 }))?.nak();
  }

  it('becomes a dead letter after ten failures, and the rest of its batch is applied', async () => {
    const [id = ''] = await publish('poison');
    const [letter] = await eventually(deadLetters, (rows) => rows.length > 0);
    expect(turnstile.attempts).toBe(10);
    expect(letter).toMatchObject({
      event_id: id,
      error: 'cannot be applied',
      delivery: { payload: { item: 'poison' } },
    });
    await untilProcessed(await publish('beside the poison'));
    // Given up: its publisher need not send it again.
    expect(await findUnprocessed(database, consumer, [{ id, name: happened.name }])).toEqual([]);
    await untilSettled();
  });

  it('becomes a dead letter even if its bytes are not JSON', async () => {
    await jetstream(harness.connection).publish(
      eventSubject('source', 'sink'),
      Buffer.from([0xff, 0x00, 0x7b]),
    );
    const [letter] = await eventually(deadLetters, (rows) => rows.length > 0);
    expect(letter).toMatchObject({ delivery: { base64: '/wB7' } });
    await untilSettled();
  });

  it('is not counted as failed for deliveries to other instances', async () => {
    await consumer.stop();
    const before = await deliveries();
    await publish('poison');
    await exhaust(12);
    expect(await deliveries()).toBe(before + 12);
    consumer = await startConsumer();
    await eventually(deadLetters, (rows) => rows.length > 0);
    expect(turnstile.attempts).toBe(10);
  });
});

describe('Partitioned events', () => {
  const batches: string[][] = [];
  const itemsOf = (batch: readonly Delivery[]) => batch.map(({ payload }) => (payload as Fact).item);
  const batchesOf = (item: string) => batches.filter((items) => items.includes(item));

  /** Deliveries of `locked` wait where the turnstile is closed. */
  async function consumeApart(batch: readonly Delivery[]): Promise<void> {
    const items = itemsOf(batch);
    if (items.includes('locked')) await turnstile.pass();
    if (items.includes('poison')) throw new Error('cannot be applied');
    batches.push(items);
  }

  beforeEach(async () => {
    batches.length = 0;
    await consumer.stop();
    await rowsOf(service, `DELETE FROM dead_letters`);
  });

  it('wait for no event of another partition, and never share a batch with one', async () => {
    turnstile.close();
    const [, ...others] = await publish('locked', 'free', 'also free', 'free', 'poison');
    consumer = await startConsumer([1], { by: 'item', consume: consumeApart });
    await turnstile.untilHeld();
    await untilProcessed(others.slice(0, 3));
    const [letter] = await eventually(deadLetters, (rows) => rows.length > 0);
    expect(letter).toMatchObject({ event_id: others[3] });
    expect(batchesOf('locked')).toEqual([]);
    turnstile.open();
    await untilSettled();
    expect(new Set(batches.map((items) => new Set(items).size))).toEqual(new Set([1]));
  });

  it('wait for earlier events of their own partition', async () => {
    turnstile.close();
    await publish('locked');
    consumer = await startConsumer([1], { by: 'item', consume: consumeApart });
    await turnstile.untilHeld();
    await publish('locked', 'locked');
    await untilProcessed(await publish('free'));
    expect(turnstile.attempts).toBe(1);
    turnstile.open();
    await untilSettled();
    expect(batchesOf('locked').flat()).toHaveLength(3);
  });

  it('are redelivered together when their lock times out, instead of being bisected', async () => {
    await admin.query(`SELECT pg_advisory_lock(7)`);
    const consumeLocking = async (batch: readonly Delivery[], tx: Transaction): Promise<void> => {
      await consumeApart(batch);
      if (turnstile.attempts === 2 && itemsOf(batch).includes('locked')) await waitInVain(tx);
    };
    const before = await deliveries();
    turnstile.close();
    const [first] = await publish('locked');
    consumer = await startConsumer([1], { by: 'item', consume: consumeLocking });
    await turnstile.untilHeld();
    const others = await publish('locked', 'locked', 'locked', 'locked');
    await untilProcessed(await publish('free'));
    turnstile.open();
    await untilProcessed([first as string, ...others]);
    await admin.query(`SELECT pg_advisory_unlock(7)`);
    expect(await deliveries()).toBe(before + 6 + others.length);
  });
});

describe('A consumer that stops during an outage', () => {
  it('returns all of its events, and the next instance applies them at once', async () => {
    await consumer.stop();
    const ids = await publish(...Array.from({ length: 40 }, (_, i) => `given back ${i}`));
    turnstile.close();
    consumer = await startConsumer();
    await turnstile.untilHeld();
    await eventually(info, ({ num_ack_pending }) => num_ack_pending === ids.length);
    await cutOff();
    turnstile.open();
    await eventually(() => database.refusals, Boolean);
    await consumer.stop();
    await letIn();
    consumer = await startConsumer();
    await untilProcessed(ids); // far sooner than they would come again by themselves
  });
});

describe('A consumer that stops while it starts', () => {
  it('leaves no subscription behind', async () => {
    await consumer.stop();
    consumer = new EventConsumer(harness.connection, database, 'sink', 'source', [], {
      verifier: verifierOf('source'),
    });
    const starting = consumer.start();
    await consumer.stop();
    await starting;
    expect((await info()).num_waiting).toBe(0);
  });

  it('leaves no subscription behind when it was restarting after its deletion on the server', async () => {
    const manager = await jetstreamManager(harness.connection);
    await manager.consumers.delete(EVENTS_STREAM, 'sink-source');
    // It comes back when the starting consumer makes it, before it subscribes.
    await eventually(() => info().catch(() => undefined), Boolean);
    await consumer.stop();
    expect((await info()).num_waiting).toBe(0);
  });
});
