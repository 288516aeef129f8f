import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Controller, Module } from '@nestjs/common';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { loadConfig, ServiceConfig, StatefulConfig } from '@vaultsvc/config';
import { event, operation, signal, Text, type Delivery, type Input } from '@vaultsvc/contracts';
import { defineService, type RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { internalContext, rowsOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { callKeysOf, publishSigned, signedEvents } from '@vaultsvc/testing/wire';
import { Bus, connectNats, Consumes, Handles, serviceStorage, Signals } from './index.js';
import { frameForm } from './frame-form.js';
import { runningSubject } from './service-instances.js';
import { publishBatch } from './publish-batch.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const wait = operation({
  name: 'sink.wait',
  summary: 'Replies once the test lets it.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
});
const happened = event({ name: 'source.happened', payload: Note, consumers: ['sink'] });
const rang = signal({ name: 'sink.rang', receivers: ['gateway'] });

let applied: string[] = [];
let open = () => {};
let opened = Promise.resolve();

@Controller()
class Sink {
  @Handles(wait)
  async wait({ body }: Input<typeof wait>): Promise<Note> {
    await opened;
    return body;
  }

  @Consumes(happened)
  async onHappened(deliveries: readonly Delivery<Note>[]): Promise<void> {
    applied.push(...deliveries.map(({ payload }) => payload.text));
  }
}
@Module({ controllers: [Sink] })
class SinkModule {}
const sink = defineService({
  name: 'sink',
  config: StatefulConfig,
  module: SinkModule,
  storage: serviceStorage(),
});

/** Headers as no client of ours writes them. The server passes them on as they are. */
const rawHeaders = (text: string) => ({ encode: () => Buffer.from(text) }) as unknown as MsgHdrs;

interface Hostile {
  readonly data?: string | Uint8Array;
  readonly headers?: MsgHdrs;
}
const hostileMessages: Record<string, Hostile> = {
  'bad JSON': { data: '{"a":' },
  'an empty message': {},
  null: { data: 'null' },
  'a number': { data: '7' },
  'an object': { data: '{"error":null}' },
  'a list of others': { data: '[null,{},[[]],1]' },
  'bytes that are no UTF-8': { data: Uint8Array.from([0xff, 0xfe, 0xc0]) },
  'a wrong signature': {
    data: '{"text":"x"}',
    headers: rawHeaders('NATS/1.0\r\nVk-Mac: AAAA\r\nVk-Signature: AAAA\r\nVk-Context: {\r\n\r\n'),
  },
  'a header whose name is none': { data: '[]', headers: rawHeaders('NATS/1.0\r\nbad name: x\r\n\r\n') },
  'a header with a line break': { data: '[]', headers: rawHeaders('NATS/1.0\r\nVk-Mac: a\rb\r\n\r\n') },
  'a status that is none': { data: 'x', headers: rawHeaders('NATS/1.0 abc\r\n\r\n') },
  'a frame without anything': { data: Uint8Array.from([1]) },
  'a frame of zeros': { data: Buffer.concat([Buffer.of(1), Buffer.alloc(60)]) },
  'a frame longer than it is': { data: Buffer.concat([Buffer.of(1), Buffer.alloc(60, 0xff)]) },
  'an unknown reason': { data: '[]', headers: rawHeaders('NATS/1.0\r\nVk-Error: NOTHING\r\n\r\n') },
};

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
let connection: NatsConnection;
let bus: Bus;
beforeAll(async () => {
  service = await harness.start(sink);
  const config = loadConfig(ServiceConfig, await harness.environment('gateway'));
  connection = await connectNats(config, 'gateway');
  bus = new Bus(connection, callKeysOf('gateway'), frameForm);
});
beforeEach(() => {
  applied = [];
  opened = new Promise((resolve) => (open = resolve));
});
afterAll(async () => {
  await connection.close();
  await service.stop();
});

const call = (text: string) => {
  const context = internalContext();
  return bus.call(wait, { body: { text } }, context);
};

/** The first message on a subject after `act`, as somebody sees it who may subscribe to everything. */
async function overhear(subject: string, act: () => unknown = () => undefined): Promise<Msg> {
  const subscription = harness.connection.subscribe(subject, { max: 1 });
  await harness.connection.flush();
  act();
  for await (const message of subscription) return message;
  throw new Error(`nothing came on ${subject}`);
}

/** Sends every hostile message to a subject, with a reply subject and without. */
async function attack(subject: string): Promise<void> {
  for (const { data, headers } of Object.values(hostileMessages))
    for (const reply of [undefined, `_INBOX.gateway.x.${randomUUID()}`])
      harness.connection.publish(subject, data, { ...(headers && { headers }), ...(reply && { reply }) });
  await harness.connection.flush();
}

/** Fails unless caller and service still read what they subscribe to: operations, events, signals. */
async function expectAlive(): Promise<void> {
  open();
  expect(await call('alive')).toEqual({ text: 'alive' });
  const text = randomUUID();
  const delivery = {
    id: randomUUID(),
    name: happened.name,
    accountId: null,
    requestId: null,
    occurredAtMs: 1,
    payload: { text },
  };
  await publishSigned(harness.connection, signedEvents('source', 'sink', delivery));
  await until(async () => applied.includes(text));
}

describe('OPEN-51 ENV-30: hostile messages of every form end no connection', () => {
  it('on the subject of a reply: the call is answered by the service', async () => {
    let answer!: Promise<Note>;
    const { reply } = await overhear(wait.subject, () => (answer = call('x')));
    for (const [name, { data, headers }] of Object.entries(hostileMessages)) {
      harness.connection.publish(reply ?? '', data, headers && { headers });
      expect(name).not.toBe('');
    }
    await harness.connection.flush();
    open();
    expect(await answer).toEqual({ text: 'x' });
    await expectAlive();
  });

  it('on another subject of the inbox of replies', async () => {
    let answer!: Promise<Note>;
    const { reply = '' } = await overhear(wait.subject, () => (answer = call('x')));
    await attack(`${reply.slice(0, reply.lastIndexOf('.'))}.unknown`);
    open();
    expect(await answer).toEqual({ text: 'x' });
    await expectAlive();
  });

  it('on the subject that tells which calls are running: no call is given up', async () => {
    let answer!: Promise<Note>;
    const { reply = '' } = await overhear(runningSubject('sink'), () => (answer = call('x')));
    await attack(reply);
    // The service goes on to be asked, and the caller hears it.
    await overhear(runningSubject('sink'));
    await overhear(`${reply.slice(0, reply.lastIndexOf('.'))}.*`);
    open();
    expect(await answer).toEqual({ text: 'x' });
    await expectAlive();
  });

  it('on the subject that asks for running calls', async () => {
    await attack(runningSubject('sink'));
    await expectAlive();
  });

  it('on the subject of an operation', async () => {
    await attack(wait.subject);
    await expectAlive();
  });

  it('on the subject of events', async () => {
    const before = await rowsOf(service, `SELECT 1 FROM dead_letters`);
    await attack('evt.source.sink');
    await expectAlive();
    await until(async () => (await rowsOf(service, `SELECT 1 FROM dead_letters`)).length > before.length);
  });

  it('on the inbox of the JetStream client', async () => {
    const next = '$JS.API.CONSUMER.MSG.NEXT.EVENTS.sink-source';
    await service.stop();
    let starting!: Promise<RunningService>;
    const { reply = '' } = await overhear(next, () => (starting = harness.start(sink)));
    service = await starting;
    await attack(reply);
    for (const status of ['400 Bad Request', '409 Consumer Deleted', '100 Idle Heartbeat'])
      harness.connection.publish(reply, '', { headers: rawHeaders(`NATS/1.0 ${status}\r\n\r\n`) });
    await expectAlive();
  });

  it('on the inbox of a batch: they count for no acknowledgement', async () => {
    const inbox = `_INBOX.gateway.${randomUUID()}`;
    const silent = harness.connection.subscribe('silent.batch', { callback: () => undefined });
    const batch = publishBatch(
      harness.connection,
      inbox,
      [{ subject: 'silent.batch', data: '{}', id: 'x' }],
      1_000,
    );
    await attack(inbox);
    await expect(batch).rejects.toThrow('did not acknowledge 1 of 1 messages in time');
    silent.unsubscribe();
    await expectAlive();
  });

  it('on the subject of a signal, and neither does a listener that fails', async () => {
    const signals = new Signals(harness.connection);
    let heard = 0;
    const stops = [
      signals.listen(rang, 'one', () => {
        throw new Error('a listener failed');
      }),
      signals.listen(rang, 'one', () => void heard++),
    ];
    await overhear('live.>', () => new Signals(harness.connection).send(rang, 'one'));
    await until(async () => heard > 0);
    await expectAlive();
    for (const stop of stops) stop();
  });
});
