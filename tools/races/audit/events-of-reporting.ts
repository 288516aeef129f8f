import { jetstreamManager, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually } from '@vaultsvc/testing/waiting';
import { natsOptions } from '../../bench/nats-options.ts';

const STREAM = 'EVENTS';
const RECREATED_SECONDS = 60;

/** The consumers of reporting in the stream of events. */
export class EventsOfReporting {
  private constructor(
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
  ) {}

  /** @param url of a user who may do everything */
  static async open(url: string): Promise<EventsOfReporting> {
    const connection = await connect(natsOptions(url));
    return new EventsOfReporting(connection, await jetstreamManager(connection));
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** Whether messages were not delivered yet, or not acknowledged. */
  async isPending(): Promise<boolean> {
    const consumers = await this.#consumers();
    return consumers.some(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending > 0);
  }

  /** Deletes the consumers. The instances create them anew, and receive all messages of the stream once more. */
  async redeliverAll(): Promise<void> {
    const before = await this.#consumers();
    for (const { name } of before) await this.manager.consumers.delete(STREAM, name);
    await eventually(
      () => this.#consumers(),
      (now) => now.length === before.length,
      RECREATED_SECONDS,
    );
  }

  async #consumers(): Promise<ConsumerInfo[]> {
    const all: ConsumerInfo[] = [];
    for await (const consumer of this.manager.consumers.list(STREAM))
      if (consumer.name.startsWith('reporting-')) all.push(consumer);
    return all;
  }
}
