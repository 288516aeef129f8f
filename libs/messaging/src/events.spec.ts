import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { Controller, Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { event, Text, type Delivery } from '@vaultsvc/contracts';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { defineService, type RunningService } from '@vaultsvc/service';
import { allowConnections, refuseConnections, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { publishSigned, signedEvents, signerOf } from '@vaultsvc/testing/wire';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Consumes, serviceStorage, EVENTS_STREAM, Outbox, OutboxReconciler } from './index.js';

class Fact {
  @Text({ max: 100 }) item: string;
}
const happened = event({ name: 'source.happened', payload: Fact, consumers: ['sink'] });
const whispered = event({ name: 'source.whispered', payload: Fact, consumers: ['sink', 'absent'] });

const insertSeen = statement('seen.insert', `INSERT INTO seen (item) VALUES ($1)`);

/** Closed by a test; a batch that holds the item `wait` stays under way until it is opened. */
let gate = { enter: () => {}, opened: Promise.resolve() };

@Controller()
class OnHappened {
  constructor(private readonly config: StatefulConfig) {}

  @Consumes(happened)
  async apply(deliveries: readonly Delivery<Fact>[], tx: Transaction): Promise<void> {
    for (const { payload } of deliveries) await tx.query(insertSeen, [payload.item]);
    if (deliveries.some(({ payload }) => payload.item.startsWith('poison')))
      throw new Error('cannot be applied');
    if (!deliveries.some(({ payload }) => payload.item === 'wait') || this.config.BUILD_VERSION !== 'gated')
      return;
    gate.enter();
    await gate.opened;
  }
}
class CreateSeen1700000000001 implements MigrationInterface {
  readonly name = 'CreateSeen1700000000001';
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE seen (item text)`);
  }
  async down(runner: QueryRunner) {
    await runner.query(`DROP TABLE seen`);
  }
}
@Module({})
class SourceModule {}
@Module({ controllers: [OnHappened] })
class SinkModule {}
const source = defineService({
  name: 'source',
  config: StatefulConfig,
  module: SourceModule,
  storage: serviceStorage(),
});
const sink = defineService({
  name: 'sink',
  config: StatefulConfig,
  module: SinkModule,
  storage: serviceStorage([CreateSeen1700000000001]),
});

let harness: Harness;
let publisher: RunningService;
let consumer: RunningService;
let admin: pg.Client;

beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  publisher = await harness.start(source);
  consumer = await harness.start(sink);
  admin = new pg.Client({ connectionString: (await harness.schema('source')).adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harness.stop();
});

const publish = (...items: string[]) => publishBy(publisher, ...items);

async function publishBy({ context }: RunningService, ...items: string[]): Promise<void> {
  const outbox = context.get(Outbox);
  await context.get(Database).transaction(async (tx) => {
    for (const item of items) await outbox.publish(tx, happened, { item }, null);
  });
}

const ofSource = (name: string, text: string, values: unknown[] = []) =>
  publisher.context.get(Database).query(statement(`test.${name}`, text), values);
const ofSink = (name: string, text: string, values: unknown[] = []) =>
  consumer.context.get(Database).query<Record<string, unknown>>(statement(`test.${name}`, text), values);

const seen = async (): Promise<string[]> =>
  (await ofSink('seen', `SELECT item FROM seen ORDER BY item`)).map((row) => row['item'] as string);
const unsent = () => ofSource('unsent', `SELECT seq FROM outbox`);
const times = (items: readonly string[], item: string) => items.filter((one) => one === item).length;
const manager = () => jetstreamManager(harness.connection);

const info = async () => (await manager()).consumers.info(EVENTS_STREAM, 'sink-source');
/** Everything was sent, and the consumer has received it. */
async function untilDelivered(): Promise<void> {
  await eventually(unsent, (rows) => rows.length === 0);
  await eventually(info, ({ num_pending }) => num_pending === 0);
}

/** The events in the stream after this message. */
async function storedSince(seq: number): Promise<Delivery[]> {
  const { streams } = await manager();
  const { state } = await streams.info(EVENTS_STREAM);
  const seqs = Array.from({ length: state.last_seq - seq }, (_, i) => seq + 1 + i);
  const messages = await Promise.all(seqs.map((at) => streams.getMessage(EVENTS_STREAM, { seq: at })));
  return messages.flatMap((message) => message?.json<Delivery[]>() ?? []);
}

/** Hundreds of events, some of which fail, take a busy machine a while. */
const PATIENCE_SECONDS = 60;
const untilSeen = (...items: string[]) =>
  eventually(seen, (all) => items.every((item) => all.includes(item)), PATIENCE_SECONDS);

describe('The relay', () => {
  afterEach(async () => {
    await admin.query('SELECT pg_advisory_unlock_all()');
  });

  it('publishes again after a crash between publishing and the commit, with one effect', async () => {
    const { schema } = await harness.schema('source');
    // Keeping the sent batch waits behind a lock of ours, so the relay is known to be past publishing when it dies.
    await admin.query(`CREATE FUNCTION ${schema}.wait() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_advisory_xact_lock(771); RETURN NULL; END'`);
    await admin.query(
      `CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON ${schema}.sent_batches DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION ${schema}.wait()`,
    );
    await admin.query('SELECT pg_advisory_lock(771)');
    await publish('marked late');
    await untilSeen('marked late');
    expect(await unsent()).toHaveLength(1);
    const killed = await eventually(
      async () =>
        (
          await admin.query(
            `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 771 AND NOT granted`,
          )
        ).rowCount ?? 0,
      (count) => count > 0,
    );
    expect(killed).toBe(1);
    // First: a later publish would wait for the lock, and dropping the trigger would wait for that publish.
    await admin.query('SELECT pg_advisory_unlock(771)');
    await admin.query(`DROP TRIGGER wait ON ${schema}.sent_batches`);
    await eventually(unsent, (rows) => rows.length === 0);
    await publish('after it');
    expect(times(await untilSeen('after it'), 'marked late')).toBe(1);
  });

  it('stores each event in the stream once when several instances run', async () => {
    const before = (await (await manager()).streams.info(EVENTS_STREAM)).state.last_seq;
    const other = await harness.start(source);
    const items = Array.from({ length: 1_500 }, (_, i) => `shared ${i}`);
    for (let i = 0; i < items.length; i += 100)
      await publishBy(i % 200 === 0 ? publisher : other, ...items.slice(i, i + 100));
    await untilSeen(...items);
    await eventually(unsent, (rows) => rows.length === 0);
    const stored = (await storedSince(before)).map(({ payload }) => (payload as Fact).item);
    expect(stored.toSorted()).toEqual(items.toSorted());
    expect((await seen()).filter((item) => item.startsWith('shared'))).toHaveLength(items.length);
    await other.stop();
  });

  it('sends events that were written just before it stops', async () => {
    const leaving = await harness.start(source);
    await leaving.context
      .get(Database)
      .transaction((tx) => leaving.context.get(Outbox).publish(tx, happened, { item: 'last' }, null));
    await leaving.stop();
    await untilSeen('last');
  });

  it('publishes no event of a transaction that was rolled back', async () => {
    const work = publisher.context.get(Database).transaction(async (tx) => {
      await publisher.context.get(Outbox).publish(tx, happened, { item: 'never' }, null);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    await publish('after the rollback');
    expect(await untilSeen('after the rollback')).not.toContain('never');
  });
});

describe('A consumer', () => {
  it('applies an event once when the stream delivers it twice, even under two message ids', async () => {
    const delivery = {
      id: '00000000-0000-4000-8000-000000000001',
      name: happened.name,
      accountId: null,
      requestId: null,
      occurredAtMs: 1,
      payload: { item: 'twice' },
    };
    for (const msgID of ['first', 'second', 'third'])
      await publishSigned(harness.connection, signedEvents('source', 'sink', delivery), { msgID });
    await publish('behind the three');
    expect(times(await untilSeen('behind the three'), 'twice')).toBe(1);
  });

  it('skips an event of a later release, which this build does not apply', async () => {
    const other = {
      id: '00000000-0000-4000-8000-000000000002',
      name: 'source.else',
      accountId: null,
      requestId: null,
      occurredAtMs: 1,
      payload: {},
    };
    await publishSigned(harness.connection, signedEvents('source', 'sink', other));
    await publish('behind the other');
    await untilSeen('behind the other');
    await eventually(
      async () => (await (await manager()).consumers.info(EVENTS_STREAM, 'sink-source')).num_ack_pending,
      (pending) => pending === 0,
    );
  });

  it('finishes its current batch when it stops, and another instance receives the rest at once', async () => {
    await consumer.stop();
    let open = () => {};
    const entered = new Promise<void>((enter) => {
      gate = { enter, opened: new Promise((resolve) => (open = resolve)) };
    });
    const leaving = await harness.start(sink, { BUILD_VERSION: 'gated' });
    consumer = leaving;
    await publish('wait');
    await entered;
    const rest = Array.from({ length: 50 }, (_, i) => `rest ${i}`);
    await publish(...rest);
    await untilDelivered();
    const stopping = leaving.stop();
    consumer = await harness.start(sink);
    open();
    await stopping;
    const all = await untilSeen('wait', ...rest);
    for (const item of ['wait', ...rest]) expect(times(all, item)).toBe(1);
  });

  it('waits while PostgreSQL refuses connections, and then applies every event', async () => {
    const schema = await harness.schema('sink');
    await refuseConnections(admin, schema);
    const items = Array.from({ length: 300 }, (_, i) => `patient ${i}`);
    await publish(...items);
    await untilDelivered();
    await allowConnections(admin, schema);
    const all = await untilSeen(...items);
    expect(all.filter((item) => item.startsWith('patient'))).toHaveLength(items.length);
    expect((await info()).num_redelivered).toBe(0); // waiting used up no delivery
  });
});

describe('An event that cannot be applied', () => {
  it('delays none of the hundreds of events that arrive with it', async () => {
    const items = Array.from({ length: 400 }, (_, i) => (i % 100 === 50 ? `poison ${i}` : `healthy ${i}`));
    await publish(...items);
    const healthy = items.filter((item) => item.startsWith('healthy'));
    const all = await untilSeen(...healthy);
    expect(all.filter((item) => item.startsWith('poison'))).toEqual([]);
  });
});

describe('After a loss in JetStream', () => {
  it('events written while NATS is down arrive once it is back', async () => {
    await harness.nats.kill('SIGKILL');
    await publish('during the outage');
    await harness.nats.restart();
    await untilSeen('during the outage');
  });

  it('a deleted consumer is created again', async () => {
    await (await manager()).consumers.delete(EVENTS_STREAM, 'sink-source');
    await publish('after the consumer was deleted');
    await untilSeen('after the consumer was deleted');
  });

  it('a deleted stream is created again, and its lost events are published again', async () => {
    await consumer.stop();
    await publish('lost with the stream');
    await eventually(unsent, (rows) => rows.length === 0);
    await (await manager()).streams.delete(EVENTS_STREAM);
    consumer = await harness.start(sink);
    await publish('after the stream was deleted');
    await untilSeen('after the stream was deleted');
    const reconciler = new OutboxReconciler(
      harness.connection,
      publisher.context.get(Database),
      harness.bus,
      'source',
      signerOf('source'),
    );
    await eventually(
      () => reconciler.round('0 seconds'),
      (count) => count > 0,
    );
    expect(times(await untilSeen('lost with the stream'), 'lost with the stream')).toBe(1);
    const left = async () => {
      await reconciler.round('0 seconds');
      return ofSource(
        'left',
        `SELECT 1 FROM recorded_events WHERE payload->>'item' = 'lost with the stream'`,
      );
    };
    await eventually(left, (rows) => rows.length === 0);
  });

  it('a stream deleted under a running consumer is created again', async () => {
    await (await manager()).streams.delete(EVENTS_STREAM);
    await publish('under way');
    await untilSeen('under way');
  });
});

describe('The declared consumers of an event', () => {
  it('keep its outbox row while one of them is down, whatever the others have processed', async () => {
    const database = publisher.context.get(Database);
    await database.transaction((tx) =>
      publisher.context.get(Outbox).publish(tx, whispered, { item: 'for two' }, null),
    );
    await eventually(unsent, (rows) => rows.length === 0);
    const reconciler = new OutboxReconciler(
      harness.connection,
      database,
      harness.bus,
      'source',
      signerOf('source'),
    );
    await reconciler.round('0 seconds');
    expect(
      await ofSource('kept', `SELECT 1 FROM recorded_events WHERE payload->>'item' = 'for two'`),
    ).toHaveLength(1);
  });

  it('include every service that applies it: an undeclared one does not start', async () => {
    const stranger = defineService({ ...sink, name: 'stranger' });
    await expect(harness.start(stranger)).rejects.toThrow(/stranger applies source.happened/);
  });
});
