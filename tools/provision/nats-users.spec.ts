import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AckPolicy, jetstreamManager } from '@nats-io/jetstream';
import {
  connect,
  headers as newHeaders,
  nkeyAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node';
import { startNats, type TestServer } from '@vaultsvc/testing/servers';
import { connectInspector, wireSettings } from '@vaultsvc/testing/wire';
import { permissionsOf } from './nats-users.ts';
import { readTopology } from './topology.ts';

const topology = readTopology();
const services = Object.keys(topology);

let nats: TestServer;
let inspector: NatsConnection;
const connections = new Map<string, NatsConnection>();

beforeAll(async () => {
  nats = await startNats();
  inspector = await connectInspector(nats.url);
  const manager = await jetstreamManager(inspector);
  await manager.streams.add({ name: 'EVENTS', subjects: ['evt.>'] });
  for (const service of services) {
    const seed = Buffer.from(wireSettings(service)['NATS_NKEY_SEED'] ?? '');
    const authenticator = nkeyAuthenticator(seed);
    const inboxPrefix = `_INBOX.${service}`;
    connections.set(service, await connect({ servers: nats.url, authenticator, inboxPrefix }));
  }
});
afterAll(async () => {
  await Promise.all([...connections.values(), inspector].map((connection) => connection.close()));
  await nats.stop();
});

function connectionOf(service: string): NatsConnection {
  const connection = connections.get(service);
  if (!connection) throw new Error(`${service} has no connection`);
  return connection;
}

/** A subject of each kind for every service. */
const subjects = services.flatMap((service) => [
  ...(topology[service]?.calls ?? []).map((operation) => `rpc.${operation}`),
  ...services.map((consumer) => `evt.${service}.${consumer}`),
  `_INBOX.${service}.process.call`,
  `rpc.${service}.running`,
]);

function isAllowed(permissions: readonly string[], subject: string): boolean {
  return permissions.some((allowed) =>
    allowed.endsWith('>') ? subject.startsWith(allowed.slice(0, -1)) : allowed === subject,
  );
}

async function subjectsThatArrive(service: string): Promise<string[]> {
  const arrived: string[] = [];
  const subscription = inspector.subscribe('>', {
    callback: (_, { subject, headers }) => {
      if (headers?.get('From') === service) arrived.push(subject);
    },
  });
  await inspector.flush();
  const connection = connectionOf(service);
  const from = newHeaders();
  from.set('From', service);
  for (const subject of new Set(subjects)) connection.publish(subject, '', { headers: from });
  await connection.flush();
  await inspector.flush();
  subscription.unsubscribe();
  return arrived;
}

describe('OPEN-51: the user of a service at NATS', () => {
  it.each(services)(
    'of %s publishes its own calls, events and replies, and nothing else',
    async (service) => {
      const own = permissionsOf(topology, service).publish;
      const expected = [...new Set(subjects)].filter((subject) => isAllowed(own, subject));
      expect((await subjectsThatArrive(service)).toSorted()).toEqual(expected.toSorted());
    },
  );

  it.each(services)('of %s receives neither calls, nor replies, nor events of others', async (service) => {
    const connection = connectionOf(service);
    const others = services.filter((name) => name !== service);
    const foreign = [
      '>',
      'rpc.>',
      'evt.>',
      '_INBOX.>',
      ...others.flatMap((name) => [`rpc.${name}.*`, `_INBOX.${name}.>`]),
    ];
    const refusals = await Promise.all(
      foreign.map(
        (subject) =>
          new Promise<unknown>((resolve) =>
            connection.subscribe(subject, { callback: (error) => resolve(error) }),
          ),
      ),
    );
    expect(refusals.map(String)).toEqual(foreign.map(() => expect.stringMatching(/permissions violation/i)));
  });

  it('cannot create a consumer of the events for another service, nor delete or change the stream', async () => {
    const manager = await jetstreamManager(connectionOf('notify'), { timeout: 500 });
    const consumer = { durable_name: 'notify-auth', ack_policy: AckPolicy.Explicit };
    const attempts = [
      manager.consumers.add('EVENTS', { ...consumer, filter_subject: 'evt.auth.reporting' }),
      manager.consumers.add('EVENTS', { ...consumer, filter_subject: 'evt.>' }),
      manager.consumers.add('EVENTS', consumer),
      manager.streams.delete('EVENTS'),
      manager.streams.update('EVENTS', { max_msgs: 1 }),
      manager.streams.purge('EVENTS'),
      manager.streams.getMessage('EVENTS', { seq: 1 }),
    ];
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'));
    await manager.consumers.add('EVENTS', { ...consumer, filter_subject: 'evt.auth.notify' });
  });

  it('takes over the consumer of an earlier release, which had all events of a service', async () => {
    const admin = await jetstreamManager(inspector);
    const durable = { durable_name: 'notify-sparks', ack_policy: AckPolicy.Explicit };
    await admin.consumers.add('EVENTS', { ...durable, filter_subject: 'evt.sparks.>' });
    const manager = await jetstreamManager(connectionOf('notify'));
    await manager.consumers.add('EVENTS', { ...durable, filter_subject: 'evt.sparks.notify' });
    const { config } = await admin.consumers.info('EVENTS', 'notify-sparks');
    expect(config.filter_subject).toBe('evt.sparks.notify');
  });

  it('MISC-01: receives the events of the shards that are provisioned, which are those of specs here, and of no others', async () => {
    const manager = await jetstreamManager(connectionOf('sparks'), { timeout: 500 });
    const add = (durable_name: string, filter_subject: string) =>
      manager.consumers.add('EVENTS', { durable_name, filter_subject, ack_policy: AckPolicy.Explicit });
    await add('sparks-vaults', 'evt.vaults.sparks');
    await add('sparks-vaults-s1', 'evt.vaults.sparks.s1');
    const attempts = [
      add('sparks-vaults-s3', 'evt.vaults.sparks.s3'),
      add('sparks-vaults-s1', 'evt.vaults.sparks.s2'),
      add('reporting-vaults', 'evt.vaults.sparks.s1'),
      add('sparks-vaults-s1', 'evt.vaults.reporting'),
    ];
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'));
    expect(permissionsOf(topology, 'sparks').publish.filter((one) => one.includes('-s1'))).toEqual([]);
    expect(permissionsOf(topology, 'vaults').publish).toContain('evt.vaults.sparks.*');
    expect(permissionsOf(topology, 'vaults').publish).toContain('evt.vaults.reporting.*');
    expect(permissionsOf(topology, 'vaults').publish).not.toContain('evt.vaults.forge.*');
  });

  it('does not exist without an NKey', async () => {
    await expect(connect({ servers: nats.url })).rejects.toThrow(/authorization/i);
  });
});
