import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscardPolicy, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { startNats, type TestServer } from '@vaultsvc/testing/servers';
import { connectInspector } from '@vaultsvc/testing/wire';
import { publishBatch } from './publish-batch.js';

let nats: TestServer;
let connection: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  nats = await startNats();
  connection = await connectInspector(nats.url);
  manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'ROOMY', subjects: ['roomy.>'] });
  await manager.streams.add({
    name: 'SMALL',
    subjects: ['small.>'],
    max_msgs: 2,
    discard: DiscardPolicy.New,
  });
});
afterAll(async () => {
  await connection.close();
  await nats.stop();
});

const messages = (subject: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ subject, data: `{"n":${i}}`, id: `${subject} ${i}` }));
const publish = (batch: ReturnType<typeof messages>, timeoutMs = 2_000) =>
  publishBatch(connection, createInbox(), batch, timeoutMs);
const stored = async (stream: string) => (await manager.streams.info(stream)).state.messages;

describe('publishBatch', () => {
  it('resolves when the stream has stored every message, in order', async () => {
    await publish(messages('roomy.a', 256));
    expect(await stored('ROOMY')).toBe(256);
    expect((await manager.streams.getMessage('ROOMY', { seq: 200 }))?.json()).toEqual({ n: 199 });
  });

  it('stores a batch once when it is published twice: the stream deduplicates by id', async () => {
    const before = await stored('ROOMY');
    await publish(messages('roomy.b', 10));
    await publish(messages('roomy.b', 10));
    expect(await stored('ROOMY')).toBe(before + 10);
  });

  it('rejects when the stream refuses one of its messages, with the reason', async () => {
    await expect(publish(messages('small.a', 3))).rejects.toThrow(
      /refused an event: maximum messages exceeded/,
    );
    expect(await stored('SMALL')).toBe(2);
  });

  it('rejects at once when no stream has the subject', async () => {
    await expect(publish(messages('nowhere.a', 1), 60_000)).rejects.toThrow(
      'no stream has the subject of the events',
    );
  });

  it('rejects when not every message is acknowledged in time', async () => {
    nats.pause();
    await expect(publish(messages('roomy.c', 5), 200)).rejects.toThrow(
      'did not acknowledge 5 of 5 messages in time',
    );
    nats.resume();
  });
});
