import { eventNamed, type Delivery } from '@vaultsvc/contracts';
import type { EventSigner, EventVerifier } from '@vaultsvc/crypto/signature';
import { Counter } from 'prom-client';
import { shardSubject } from './shard-names.js';

/** Ed25519 signature (RFC 8032) of the publisher over subject and data. */
const SIGNATURE = 'Vk-Signature';

const refusedEvents = new Counter({
  name: 'vaultsvc_events_refused_total',
  help: 'Batches of events that were refused, by consumer and reason. Without a fault in EVENT_KEYS, somebody forges events.',
  labelNames: ['consumer', 'reason'],
});

/**
 * The subject of the events of one service for another, or for a shard of it: each message goes to one consumer, which then verifies it
 * as a whole.
 */
export function eventSubject(source: string, consumer: string, shard = 0): string {
  return shardSubject(`evt.${source}.${consumer}`, shard);
}

/** A batch of events for the stream. */
export interface EventMessage {
  readonly subject: string;
  readonly data: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Same events, same id: an Ed25519 signature depends on nothing else. */
  readonly id: string;
}

/** Packs and signs events for one consumer. */
export function packEvents(
  signer: EventSigner,
  subject: string,
  deliveries: readonly Delivery[],
): EventMessage {
  const data = Buffer.from(JSON.stringify(deliveries));
  const signature = signer.sign(subject, data);
  return { subject, data, headers: { [SIGNATURE]: signature }, id: signature };
}

/** A message that its source has not signed, or whose events the contracts do not give to this consumer. */
export class RefusedEvents extends Error {
  override readonly name = 'RefusedEvents';
  constructor(consumer: string, reason: 'signature' | 'format' | 'name') {
    super(`a batch of events was refused: ${reason}`);
    refusedEvents.inc({ consumer, reason });
  }
}

/** A message as JetStream delivers it. */
interface ReceivedMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: { get(name: string): string };
}

/** Verifies and reads the events of one source for one consumer. */
export class EventReader {
  readonly #subject: string;

  constructor(
    private readonly verifier: EventVerifier,
    private readonly source: string,
    private readonly consumer: string,
    shard = 0,
  ) {
    this.#subject = eventSubject(source, consumer, shard);
  }

  /**
   * The events of a message, oldest first.
   * @throws RefusedEvents
   */
  read({ data, headers }: ReceivedMessage): readonly Delivery[] {
    if (!this.verifier.verify(this.#subject, data, headers?.get(SIGNATURE)))
      throw new RefusedEvents(this.consumer, 'signature');
    const deliveries = this.#parse(data);
    if (!deliveries.every(({ name }) => this.#isDeclared(name)))
      throw new RefusedEvents(this.consumer, 'name');
    return deliveries;
  }

  #parse(data: Uint8Array): readonly Delivery[] {
    try {
      return JSON.parse(Buffer.from(data).toString()) as readonly Delivery[];
    } catch {
      throw new RefusedEvents(this.consumer, 'format');
    }
  }

  /** An event of a later release is unknown here; its publisher sends it again until a newer instance applies it. */
  #isDeclared(name: string): boolean {
    const event = eventNamed(name);
    if (!event) return name.startsWith(`${this.source}.`);
    return event.service === this.source && event.consumers.includes(this.consumer);
  }
}
