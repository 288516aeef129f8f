import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { loadConfig, StatefulConfig, type ServiceConfig } from '@vaultsvc/config';
import type { Bus } from '@vaultsvc/messaging';
import { startService, type RunningService, type ServiceDefinition } from '@vaultsvc/service';
import { startNats, type TestSchema, type TestServer } from '../servers/index.js';
import { connectInspector, TestBus } from '../wire/index.js';
import { HarnessEnvironment } from './harness-environment.js';
import { HarnessSchemas, keyOf } from './harness-schemas.js';

/**
 * Real services in this process, on real servers: the run's shared PostgreSQL, Redis and KMS emulator, and a
 * NATS of this spec file. Each service has a schema and a role, as in production, in a database of its own or of those that share one.
 */
export class Harness {
  /** Calls operations as the gateway does; internal ones as a service that may call them. */
  readonly bus: Bus;
  readonly #environment: HarnessEnvironment;
  readonly #schemas = new HarnessSchemas();
  readonly #running: RunningService[] = [];

  /**
   * @param connection of a user without limits
   * @param objectsDir where forge keeps objects
   */
  constructor(
    readonly nats: TestServer,
    readonly connection: NatsConnection,
    readonly objectsDir: string,
    settingsForAll: Record<string, string>,
  ) {
    this.bus = new TestBus(connection);
    this.#environment = new HarnessEnvironment(
      { NATS_URL: nats.url, OBJECTS_DIR: objectsDir },
      settingsForAll,
    );
  }

  /** Starts an instance of a service, whose tables it creates at the first start; settings are environment variables. */
  async start<C extends ServiceConfig>(
    definition: ServiceDefinition<C>,
    settings: Record<string, string> = {},
  ): Promise<RunningService> {
    const config = loadConfig(definition.config, await this.#environmentOf(definition, settings));
    return this.#start(definition, config, definition.name);
  }

  /** Starts an instance of a service for a further shard of accounts, with a schema of its own. */
  async startShard<C extends ServiceConfig>(
    definition: ServiceDefinition<C>,
    shard: number,
    settings: Record<string, string> = {},
  ): Promise<RunningService> {
    const { name } = definition;
    const schema = await this.#schemas.of(name, shard);
    const own = { SHARD: String(shard), ...settings };
    const config = loadConfig(definition.config, this.#environment.of(name, schema, own));
    return this.#start(definition, config, keyOf(name, shard));
  }

  /** The environment that `start` gives to a service, for instances that run as processes. They migrate by themselves. */
  async environment(service: string, settings: Record<string, string> = {}): Promise<Record<string, string>> {
    const schema = service === 'gateway' ? undefined : await this.#schemas.of(service);
    return this.#environment.of(service, schema, settings);
  }

  /** The schema of a service: to read rows and to back-date them (OPEN-63). Empty before the first `start`. */
  schema(service: string): Promise<TestSchema> {
    return this.#schemas.of(service);
  }

  /** Gives services that have not started yet one database, in which each has its own schema: faster than one for each. */
  shareDatabase(definitions: readonly ServiceDefinition[]): void {
    if (this.#environment.hasOwnDatabase({})) return;
    this.#schemas.copyTemplate(definitions, (name) => this.#environment.of(name, undefined, {}));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((service) => service.stop()));
    await this.connection.close();
    await this.nats.stop();
    await this.#schemas.drop();
    await rm(this.objectsDir, { recursive: true, force: true });
  }

  async #environmentOf<C extends ServiceConfig>(
    definition: ServiceDefinition<C>,
    settings: Record<string, string>,
  ): Promise<Record<string, string>> {
    const { name, storage } = definition;
    const environment = this.#environment;
    if (!storage) return environment.of(name, undefined, settings);
    if (!environment.hasOwnDatabase(settings))
      this.#schemas.copyTemplate([definition as unknown as ServiceDefinition], () =>
        environment.of(name, undefined, settings),
      );
    return this.environment(name, settings);
  }

  /** @param key of its schema */
  async #start<C extends ServiceConfig>(
    definition: ServiceDefinition<C>,
    config: C,
    key: string,
  ): Promise<RunningService> {
    const { storage, furtherDatabases = [] } = definition;
    if (storage && config instanceof StatefulConfig) await this.#schemas.migrate(key, storage, config);
    for (const further of furtherDatabases)
      await this.#schemas.migrate(`${key} further`, further.storage, further.settingsOf(config));
    const service = await startService(definition, config);
    this.#running.push(service);
    return service;
  }
}

/** Starts NATS and creates the folder of objects; services start by `start`. */
export async function startHarness(settingsForAll: Record<string, string> = {}): Promise<Harness> {
  const nats = await startNats();
  const objectsDir = await mkdtemp(join(tmpdir(), 'vaultsvc-objects-'));
  return new Harness(nats, await connectInspector(nats.url), objectsDir, settingsForAll);
}
