import { buildInfo } from './build-info.js';
import { Setting, withSettings } from './load-config.js';
import { encryptedNats, encryptedTraces, natsCredentials, verifiedPostgres } from './production-rules.js';
import {
  flag,
  httpUrl,
  integer,
  key256,
  namedKeys,
  oneOf,
  ratio,
  secret,
  secretText,
  text,
  type NamedKeys,
} from './parsers.js';
import { postgresUrl } from './postgres-url.js';
import { Secret } from './secret.js';
import { eachShardOnce, shardNumbers } from './shard-config.js';

/** The releases whose forms of messages and stored values this one writes. */
export type Release = '0.1' | '0.2';

/** Whether all events are in one stream, or those of each service in one of its own. */
export type StreamLayout = 'one' | 'each';

/** The setting that every program reads. */
export class ProfileConfig {
  @Setting(
    oneOf('local', 'production'),
    'Environment of the service. Only the local profile accepts plain HTTP, on loopback, and servers without TLS and credentials.',
  )
  PROFILE: 'local' | 'production' = 'production';
}

/** The settings of every service. The settings class of a service extends this one. */
export class ServiceConfig extends ProfileConfig {
  @Setting(text, 'NATS server or servers, comma-separated.', encryptedNats)
  NATS_URL: string;

  @Setting(secretText, 'NKey seed of this service at NATS: SU… (npm run provision).', natsCredentials)
  NATS_NKEY_SEED = new Secret('');

  @Setting(
    text,
    'File with the JWT credentials of this service at NATS, for servers that use JWTs instead of NKeys.',
  )
  NATS_CREDENTIALS_FILE = '';

  @Setting(integer({ min: 1, max: 5 }), 'Replicas of the event stream; 3 on a NATS cluster.')
  NATS_STREAM_REPLICAS = 1;

  @Setting(
    oneOf('one', 'each'),
    'Streams of events: one for all services, or each service with one of its own, for more than some 10,000 events a second. Equal in all services; a change deletes the streams first.',
  )
  EVENT_STREAMS: StreamLayout = 'one';

  @Setting(
    shardNumbers,
    'All shards of accounts, separated by commas. Equal in all services; an id of another one is unknown. Others than 0 need OLDEST_RELEASE=0.2, for good.',
    (shards, { OLDEST_RELEASE: oldest }) =>
      eachShardOnce(shards) ??
      (oldest === '0.1' && shards.some((one) => one !== 0)
        ? 'may name other shards than 0 only once OLDEST_RELEASE is 0.2'
        : undefined),
  )
  SHARDS: readonly number[] = [0];

  @Setting(
    secret(namedKeys),
    'Keys that authenticate calls between services: caller-called:base64 for each service that this one calls or serves (npm run provision).',
  )
  CALL_KEYS: Secret<NamedKeys>;

  @Setting(integer({ min: 0, max: 65_535 }), 'Port of /healthz, /readyz and /metrics. It must not be public.')
  PRIVATE_PORT = 9_100;

  @Setting(text, 'Address that the private port listens on.')
  PRIVATE_HOST = '127.0.0.1';

  @Setting(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'Lowest log level that is written.')
  LOG_LEVEL: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent' = 'info';

  @Setting(
    httpUrl,
    'Collector of OpenTelemetry traces, for OTLP over HTTP: https://collector.example.com/v1/traces. Empty: no traces.',
  )
  TRACES_ENDPOINT = '';

  @Setting(
    ratio,
    'Share of the requests from outside that are traced, from 0 to 1. Traced requests are not batched.',
  )
  TRACES_RATIO = 0.01;

  @Setting(secretText, 'Header Authorization of the exports of traces.', encryptedTraces)
  TRACES_AUTHORIZATION = new Secret('');

  @Setting(text, 'Version shown in meta.api_version.')
  BUILD_VERSION = buildInfo().version;

  @Setting(
    oneOf('0.1', '0.2'),
    'The oldest release of which copies of any service may run beside this one, or to which you may go back. Messages and Sparks are written in forms that it reads; those of 0.2 take less time and space.',
  )
  OLDEST_RELEASE: Release = '0.1';

  @Setting(
    integer({ min: 0, max: 60_000 }),
    'Milliseconds between reporting not ready and closing, in which load balancers remove the instance.',
  )
  SHUTDOWN_DELAY_MS = 5_000;

  @Setting(integer({ min: 100, max: 300_000 }), 'Milliseconds that a shutdown waits for requests in flight.')
  SHUTDOWN_GRACE_MS = 30_000;
}

/** The settings of the database of a service: all that its migrations and its restore fence need. */
export class DatabaseConfig extends ProfileConfig {
  @Setting(
    postgresUrl,
    'PostgreSQL URL with the role of this service; for its programs migrate and restore-fence alone with that of the owner of the schema. Of several servers, separated by commas, the one that accepts writes is used.',
    verifiedPostgres,
  )
  DATABASE_URL: Secret;

  @Setting(text, 'Schema with the tables of this service. None: the name of the service.')
  DATABASE_SCHEMA: string;

  @Setting(integer({ min: 2, max: 100 }), 'Maximum of connections to PostgreSQL.')
  DATABASE_POOL_MAX = 10;

  @Setting(
    flag,
    'Whether statements are prepared under names. false behind a pooler in transaction mode that does not track them, such as PgBouncer before 1.21.',
  )
  DATABASE_PREPARED = true;

  @Setting(
    integer({ min: 2_000, max: 60_000 }),
    'Timeout of a statement in milliseconds, and of the wait for a connection. The lock timeout is one second less, the idle timeout of a transaction twice as long.',
  )
  DATABASE_STATEMENT_MS = 5_000;
}

/** The settings of a service that owns a PostgreSQL schema. */
export class StatefulConfig extends withSettings(ServiceConfig, DatabaseConfig) {
  @Setting(
    key256,
    'Ed25519 private key (RFC 8032) that signs the events of this service (npm run provision).',
  )
  EVENT_SIGNING_KEY: Secret<Buffer>;

  @Setting(
    namedKeys,
    'Ed25519 public keys that verify events: service:base64 for each service whose events this one applies (npm run provision).',
  )
  EVENT_KEYS: NamedKeys = new Map();
}
