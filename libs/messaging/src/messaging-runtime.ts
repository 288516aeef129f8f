import {
  Inject,
  Injectable,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NatsConnection } from '@nats-io/transport-node';
import { healthOperation, unprocessedOperation, type Handler, type OperationSpec } from '@vaultsvc/contracts';
import { CallContextMac } from '@vaultsvc/crypto/mac';
import { Database } from '@vaultsvc/database';
import { Bus } from './bus.js';
import { EventConsumer } from './event-consumer.js';
import { consumersOf, handlersOf, type BoundConsumer, type BoundHandler } from './decorators.js';
import type { MessagingOptions } from './messaging.module.js';
import { OperationServer } from './operation-server.js';
import { Outbox } from './outbox.js';
import { OutboxReconciler } from './outbox-reconciler.js';
import { OutboxRelay } from './outbox-relay.js';
import { findUnprocessed } from './event-applier.js';

export const NATS = Symbol('NatsConnection');
export const MESSAGING_OPTIONS = Symbol('MessagingOptions');

/** Starts consumers, relay, reconciler and operations once all providers exist, and stops them in reverse order. */
@Injectable()
export class MessagingRuntime
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly #server: OperationServer;
  readonly #relay: OutboxRelay | undefined;
  readonly #reconciler: OutboxReconciler | undefined;
  #consumers: EventConsumer[] = [];

  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Inject(NATS) private readonly connection: NatsConnection,
    private readonly discovery: DiscoveryService,
    mac: CallContextMac,
    outbox: Outbox,
    bus: Bus,
    @Optional() @Inject(Database) private readonly database: Database | undefined,
  ) {
    this.#server = new OperationServer(connection, mac);
    const { service, config } = options;
    this.#relay =
      database && new OutboxRelay(connection, database, outbox, service, config.NATS_STREAM_REPLICAS);
    this.#reconciler = database && new OutboxReconciler(connection, database, bus, service);
  }

  async onApplicationBootstrap(): Promise<void> {
    const instances = this.discovery
      .getProviders()
      .flatMap(({ instance }) => (isObject(instance) ? [instance] : []));
    await this.#startConsumers(instances.flatMap(consumersOf));
    this.#relay?.start();
    this.#reconciler?.start();
    for (const handler of [...instances.flatMap(handlersOf), ...this.#ownHandlers()])
      this.#server.serve(handler);
    await this.connection.flush();
  }

  /** Stops accepting work and waits for running work, which may still use the database: that closes later. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#server.drain();
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()));
    await this.#reconciler?.stop();
    await this.#relay?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }

  async #startConsumers(bound: readonly BoundConsumer[]): Promise<void> {
    if (bound.length === 0) return;
    const { database, options } = this;
    const { service, config } = options;
    if (!database) throw new Error(`${service} consumes events but has no database to record them in`);
    assertDeclared(service, bound);
    const sources = new Set(bound.flatMap(({ events }) => events.map(({ service }) => service)));
    this.#consumers = [...sources].map(
      (source) =>
        new EventConsumer(this.connection, database, service, source, bound, {
          replicas: config.NATS_STREAM_REPLICAS,
        }),
    );
    await Promise.all(this.#consumers.map((consumer) => consumer.start()));
  }

  #ownHandlers(): BoundHandler[] {
    const { service, config } = this.options;
    const health = bind(healthOperation(service), async () => ({
      status: 'ok',
      version: config.BUILD_VERSION,
    }));
    const database = this.database;
    if (!database) return [health];
    const lacking = bind(unprocessedOperation(service), async ({ body }) => {
      const consumer = this.#consumers.find(({ durable }) => durable === body.consumer);
      return { ids: await findUnprocessed(database, consumer, body.events) };
    });
    return [health, lacking];
  }
}

/** The publisher keeps events for declared consumers only; an undeclared consumer would lose events silently. */
function assertDeclared(service: string, bound: readonly BoundConsumer[]): void {
  const undeclared = bound
    .flatMap(({ events }) => events)
    .find(({ consumers }) => !consumers.includes(service));
  if (undeclared)
    throw new Error(
      `${service} applies ${undeclared.name}, whose declaration does not name it as a consumer`,
    );
}

function bind<S extends OperationSpec>(op: BoundHandler['op'] & S, handle: Handler<S>): BoundHandler {
  return { op, handle: handle as Handler<OperationSpec> };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
