import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { loadConfig, StatefulConfig, type ServiceConfig } from '@vaultsvc/config';
import type { Bus } from '@vaultsvc/messaging';
import { startService, type RunningService, type ServiceDefinition } from '@vaultsvc/service';
import {
  kmsCredentialsOf,
  redisUrlOf,
  sharedServers,
  startNats,
  type TestSchema,
  type TestServer,
} from '../servers/index.js';
import { connectInspector, TestBus, wireSettings } from '../wire/index.js';
import { HarnessSchemas } from './harness-schemas.js';

/**
 * Real services in this process, on real servers: the run's shared PostgreSQL, Redis and KMS emulator, and a
 * NATS of this spec file. Each service has a schema and a role, as in production, in a database of its own.
 */
export interface Harness {
  readonly nats: TestServer;
  /** Calls operations as the gateway does; internal ones as a service that may call them. */
  readonly bus: Bus;
  /** Of a user without limits. */
  readonly connection: NatsConnection;
  /** Where forge keeps objects. */
  readonly objectsDir: string;
  /** Starts an instance of a service, whose tables it creates at the first start; settings are environment variables. */
  start<C extends ServiceConfig>(
    definition: ServiceDefinition<C>,
    settings?: Record<string, string>,
  ): Promise<RunningService>;
  /** The environment that `start` gives to a service, for instances that run as processes. They migrate by themselves. */
  environment(service: string, settings?: Record<string, string>): Promise<Record<string, string>>;
  /** The schema of a service: to read rows and to back-date them (OPEN-63). Empty before the first `start`. */
  schema(service: string): Promise<TestSchema>;
  stop(): Promise<void>;
}

/**
 * No spec breaks the shared Redis: a late answer means a busy machine. A spec that breaks Redis starts its own, with the
 * timeout of the product.
 */
const SHARED_REDIS_ANSWER_MS = '2500';

export async function startHarness(settingsForAll: Record<string, string> = {}): Promise<Harness> {
  const nats = await startNats();
  const objectsDir = await mkdtemp(join(tmpdir(), 'vaultsvc-objects-'));
  const [cursorKey, credentialRecordKey, poolSnapshotKey] = [
    randomBytes(32),
    randomBytes(32),
    randomBytes(32),
  ];
  const connection = await connectInspector(nats.url);
  const schemas = new HarnessSchemas();
  const running: RunningService[] = [];

  const environmentOf = (
    service: string,
    schema: TestSchema | undefined,
    settings: Record<string, string>,
  ) => {
    const { redisUrl, kmsUrl } = sharedServers();
    const { accessKeyId, secretAccessKey } = kmsCredentialsOf(service);
    const ownRedisUrl = settings['REDIS_URL'] ?? settingsForAll['REDIS_URL'];
    return {
      PROFILE: 'local',
      LOG_LEVEL: 'warn',
      PRIVATE_PORT: '0',
      HTTP_PORT: '0',
      LINK_PORT: '0',
      FILES_PORT: '0',
      NATS_URL: nats.url,
      ...(ownRedisUrl === undefined && { REDIS_ANSWER_MS: SHARED_REDIS_ANSWER_MS }),
      KMS_ENDPOINT: kmsUrl,
      KMS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ...(schema && {
        DATABASE_URL: schema.databaseUrl,
        KEYS_DATABASE_URL: schema.keysDatabaseUrl,
        DATABASE_SCHEMA: schema.schema,
      }),
      ...wireSettings(service),
      CURSOR_KEY: cursorKey.toString('base64'),
      CREDENTIAL_RECORD_KEY: credentialRecordKey.toString('base64'),
      POOL_SNAPSHOT_KEY: poolSnapshotKey.toString('base64'),
      AUDIT_LOG_ORIGIN: '127.0.0.1:8080/v1/audit-logs/log',
      API_ORIGIN: 'http://127.0.0.1:8080',
      FORGE_ORIGIN: 'http://127.0.0.1:8081',
      LINK_ORIGIN: 'http://127.0.0.1:8082',
      FILES_ORIGIN: 'http://127.0.0.1:8083',
      OIDC_ISSUER: 'http://127.0.0.1:8084',
      OIDC_CLIENT_ID: 'vaultsvc-test',
      OIDC_REDIRECT_URI: 'http://127.0.0.1:8084/signin',
      REQUIRE_HTTPS: 'false',
      OBJECTS_DIR: objectsDir,
      OBJECTS_FSYNC: 'false', // the specs of libs/objects test fsync
      SHUTDOWN_DELAY_MS: '0',
      ...settingsForAll,
      ...settings,
      REDIS_URL: redisUrlOf(service, ownRedisUrl ?? redisUrl),
    };
  };
  const environment = async (service: string, settings: Record<string, string> = {}) =>
    environmentOf(service, service === 'gateway' ? undefined : await schemas.of(service), settings);

  return {
    nats,
    connection,
    objectsDir,
    bus: new TestBus(connection),
    environment,
    schema: (service) => schemas.of(service),
    start: async (definition, settings = {}) => {
      const { name, storage } = definition;
      const hasOwnDatabase = 'DATABASE_URL' in { ...settingsForAll, ...settings };
      if (!hasOwnDatabase) schemas.copyTemplate(definition, environmentOf(name, undefined, settings));
      const env = storage ? await environment(name, settings) : environmentOf(name, undefined, settings);
      const config = loadConfig(definition.config, env);
      if (storage && config instanceof StatefulConfig) await schemas.migrate(name, storage, config);
      for (const further of definition.furtherDatabases ?? [])
        await schemas.migrate(`${name} further`, further.storage, further.settingsOf(config));
      const service = await startService(definition, config);
      running.push(service);
      return service;
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.stop()));
      await connection.close();
      await nats.stop();
      await schemas.drop();
      await rm(objectsDir, { recursive: true, force: true });
    },
  };
}
