import { jetstream } from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { namedKeys } from '@vaultsvc/config';
import { callersOf, type Delivery } from '@vaultsvc/contracts';
import { EventSigner, EventVerifier } from '@vaultsvc/crypto/signature';
import { Bus, CallKeys, eventSubject, packEvents, type EventMessage } from '@vaultsvc/messaging';
import { sharedServersOfRun, wireSettings as settingsOf } from '../../../../tools/test/servers.ts';

/** The settings of a service for its messages: keys, and its user at NATS. */
export function wireSettings(service: string): Record<string, string> {
  return settingsOf(sharedServersOfRun().wire, service);
}

/** Connects to a NATS, or the servers of a cluster, of this run as a user without limits: what an intruder with every permission could do. */
export function connectInspector(url: string): Promise<NatsConnection> {
  const { user, password } = sharedServersOfRun().wire.inspector;
  return connect({
    servers: url.split(','),
    user,
    pass: password,
    name: 'test',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
}

/** The keys with which a service calls, or answers. */
export function callKeysOf(service: string): CallKeys {
  return new CallKeys(service, namedKeys(wireSettings(service)['CALL_KEYS'] ?? ''));
}

/** Events as their source publishes them for one consumer, past its outbox: for specs that repeat or reorder them. */
export function signedEvents(
  source: string,
  consumer: string,
  ...deliveries: readonly Delivery[]
): EventMessage {
  return packEvents(signerOf(source), eventSubject(source, consumer), deliveries);
}

/** Verifies the events of a source. */
export function verifierOf(source: string): EventVerifier {
  const versions = namedKeys(wireSettings('sink')['EVENT_KEYS'] ?? '').get(source);
  if (!versions) throw new Error(`the run has no key of ${source}`);
  return new EventVerifier(versions);
}

/** Signs as a source does. */
export function signerOf(source: string): EventSigner {
  return new EventSigner(Buffer.from(wireSettings(source)['EVENT_SIGNING_KEY'] ?? '', 'base64'));
}

/** Publishes such events; resolves once the stream has stored them. */
export async function publishSigned(
  connection: NatsConnection,
  { subject, data, headers: own }: EventMessage,
  options: { readonly msgID?: string } = {},
): Promise<void> {
  await jetstream(connection).publish(subject, data, { ...options, headers: toHeaders(own) });
}

function toHeaders(own: Readonly<Record<string, string>>): MsgHdrs {
  const head = headers();
  for (const [name, value] of Object.entries(own)) head.set(name, value);
  return head;
}

/** As NATS is provisioned for specs. */
const TEST_SHARDS = [0, 1, 2];

/**
 * Calls each operation as a service that may call it: public ones as the gateway does. Its calls have the form of release 0.1, which every
 * service reads; those between the services of a harness have the form of OLDEST_RELEASE.
 */
export class TestBus extends Bus {
  readonly #others = new Map<string, Bus>();

  constructor(private readonly inspector: NatsConnection) {
    super(inspector, callKeysOf('gateway'), undefined, TEST_SHARDS);
  }

  override forward(...call: Parameters<Bus['forward']>): ReturnType<Bus['forward']> {
    const [op] = call;
    const [caller = 'gateway'] = callersOf(op);
    return caller === 'gateway' ? super.forward(...call) : this.#of(caller).forward(...call);
  }

  #of(caller: string): Bus {
    const bus =
      this.#others.get(caller) ?? new Bus(this.inspector, callKeysOf(caller), undefined, TEST_SHARDS);
    this.#others.set(caller, bus);
    return bus;
  }
}
