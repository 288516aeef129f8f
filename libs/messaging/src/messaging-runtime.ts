import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { healthOperation, unprocessedOperation, type Handler, type OperationSpec } from '@vaultsvc/contracts';
import { StatefulConfig } from '@vaultsvc/config';
import { EventSigner, EventVerifier } from '@vaultsvc/crypto/signature';
import { Database } from '@vaultsvc/database';
import { Bus } from './bus.js';
import { CallKeys } from './call-keys.js';
import { EventConsumer } from './event-consumer.js';
import { IdempotentCalls } from './idempotent-calls.js';
import { findUnprocessed, type BoundConsumer } from './event-applier.js';
import { measureMessaging } from './messaging-metrics.js';
import { MESSAGING_OPTIONS, NATS, type MessagingOptions } from './messaging-options.js';
import { OperationServer, type BoundHandler } from './operation-server.js';
import { OutboxReconciler } from './outbox-reconciler.js';
import { OutboxRelay } from './outbox-relay.js';
import { ProviderGuards } from './provider-guards.js';
import { StartConditions } from './start-conditions.js';
import { streamOf } from './streams.js';

/** Starts consumers, relay, reconciler and operations once all providers exist, and stops them in reverse order. */
@Injectable()
export class MessagingRuntime implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #logger = new Logger('operations');
  readonly #server: OperationServer;
  readonly #relay: OutboxRelay | undefined;
  readonly #reconciler: OutboxReconciler | undefined;
  #consumers: EventConsumer[] = [];
  #drained: Promise<void> | undefined;
  #endMetrics: (() => void) | undefined;

  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Inject(NATS) private readonly connection: NatsConnection,
    keys: CallKeys,
    bus: Bus,
    private readonly guards: ProviderGuards,
    private readonly conditions: StartConditions,
    @Optional() @Inject(Database) private readonly database: Database | undefined,
  ) {
    const { service, config, shard } = options;
    if (!database || !(config instanceof StatefulConfig)) {
      this.#server = new OperationServer(connection, keys);
      return;
    }
    // The signing key is the one secret that every service with a database has outside of it.
    const idempotentCalls = new IdempotentCalls(database, {
      secret: config.EVENT_SIGNING_KEY.reveal(),
      connections: config.DATABASE_POOL_MAX,
    });
    this.#server = new OperationServer(connection, keys, idempotentCalls, shard, config.SHARDS);
    const signer = new EventSigner(config.EVENT_SIGNING_KEY.reveal());
    this.#relay = new OutboxRelay(connection, database, service, signer, streamFor(config, service));
    this.#reconciler = new OutboxReconciler(connection, database, bus, service, signer);
  }

  /**
   * Called by `MessagingTransport` after the start hooks of all providers. Accepts calls and events now, or as soon as the conditions
   * of the start are met.
   */
  async start(handlers: readonly BoundHandler[], consumers: readonly BoundConsumer[]): Promise<void> {
    assertDeclared(this.options.service, consumers);
    this.#consumers = this.#consumersOf(consumers);
    if (this.#consumers.length > 0) this.conditions.add('events', () => this.#ensureConsumers());
    await this.conditions.whenMet(() => this.#accept(handlers));
  }

  /** Rejects after all attempts have ended, so that the next ones do not run beside them. */
  async #ensureConsumers(): Promise<void> {
    const outcomes = await Promise.allSettled(this.#consumers.map((consumer) => consumer.ensure()));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #accept(handlers: readonly BoundHandler[]): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.start()));
    const { database, options } = this;
    if (database) this.#endMetrics = measureMessaging(options.service, database, this.#consumers);
    this.#relay?.start();
    this.#reconciler?.start();
    for (const handler of [...handlers, ...this.#ownHandlers()])
      this.#server.serve({ ...handler, guard: this.guards.of(handler.op) });
    await this.connection.flush();
  }

  /** Accepts no more calls and waits for running ones. Safe to call twice; never rejects, so that the rest stops too. */
  drainOperations(): Promise<void> {
    return (this.#drained ??= this.#server
      .drain()
      .catch((error: unknown) => this.#logger.error({ msg: 'operations could not be drained', err: error })));
  }

  /** Stops accepting work and waits for running work, which may still use the database: that closes later. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#endMetrics?.();
    await this.drainOperations();
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()));
    await this.#reconciler?.stop();
    await this.#relay?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }

  #consumersOf(bound: readonly BoundConsumer[]): EventConsumer[] {
    if (bound.length === 0) return [];
    const { database, options } = this;
    const { service, config, shard } = options;
    if (!database || !(config instanceof StatefulConfig))
      throw new Error(`${service} consumes events but has no database to record them in`);
    const sources = new Set(bound.flatMap(({ events }) => events.map(({ service }) => service)));
    return [...sources].map(
      (source) =>
        new EventConsumer(this.connection, database, service, source, bound, {
          verifier: verifierOf(config, source),
          stream: streamFor(config, source),
          shard,
        }),
    );
  }

  #ownHandlers(): BoundHandler[] {
    const { service, config } = this.options;
    const health = bind(healthOperation(service), async () => ({
      status: 'ok',
      version: config.BUILD_VERSION,
    }));
    const database = this.database;
    if (!database) return [health];
    const publishers = this.#consumers.map(({ source }) => source);
    const lacking = bind(unprocessedOperation(service, publishers), async ({ body }) => {
      const consumer = this.#consumers.find(({ durable }) => durable === body.consumer);
      return { ids: await findUnprocessed(database, consumer, body.events) };
    });
    return [health, lacking];
  }
}

function streamFor({ EVENT_STREAMS, NATS_STREAM_REPLICAS }: StatefulConfig, source: string) {
  return streamOf(source, EVENT_STREAMS, NATS_STREAM_REPLICAS);
}

function verifierOf({ EVENT_KEYS: keys }: StatefulConfig, source: string): EventVerifier {
  const versions = keys.get(source);
  if (!versions) throw new Error(`EVENT_KEYS has no key ${source}: make it with npm run provision`);
  return new EventVerifier(versions);
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
