import { Setting } from './load-config.js';
import { integer, key256, oneOf, secretUrl, text } from './parsers.js';
import type { Secret } from './secret.js';

/** The settings that every service has. A service's own class extends this one. */
export class ServiceConfig {
  @Setting(
    oneOf('local', 'production'),
    'Where this runs; only the local profile accepts plain HTTP, on loopback.',
  )
  PROFILE: 'local' | 'production' = 'production';

  @Setting(text, 'NATS server or servers, comma-separated.')
  NATS_URL: string;

  @Setting(text, 'File with the NKey or JWT credentials of this service; none on the local stack.')
  NATS_CREDENTIALS_FILE = '';

  @Setting(integer({ min: 1, max: 5 }), 'Copies of the event stream; 3 on a NATS cluster.')
  NATS_STREAM_REPLICAS = 1;

  @Setting(key256, 'Authenticates the call context between services; the same for all of them.')
  CONTEXT_KEY: Secret<Buffer>;

  @Setting(
    integer({ min: 0, max: 65_535 }),
    'Port of /healthz, /readyz and /metrics; never exposed to the public.',
  )
  PRIVATE_PORT = 9_100;

  @Setting(text, 'Address that the private port listens on.')
  PRIVATE_HOST = '127.0.0.1';

  @Setting(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'Least severe level that is logged.')
  LOG_LEVEL: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent' = 'info';

  @Setting(text, 'Version string of this build, shown in meta.api_version.')
  BUILD_VERSION = '0.1.0';

  @Setting(
    integer({ min: 0, max: 60_000 }),
    'Milliseconds between turning not ready and closing, in which load balancers look elsewhere.',
  )
  SHUTDOWN_DELAY_MS = 5_000;

  @Setting(integer({ min: 100, max: 300_000 }), 'Milliseconds to wait for requests in flight at shutdown.')
  SHUTDOWN_GRACE_MS = 30_000;
}

/** The settings of a service that owns a PostgreSQL schema. */
export class StatefulConfig extends ServiceConfig {
  @Setting(secretUrl, "PostgreSQL of this service, with the service's own role.")
  DATABASE_URL: Secret;

  @Setting(text, "Schema that holds this service's tables.")
  DATABASE_SCHEMA: string;

  @Setting(integer({ min: 2, max: 100 }), 'Connections to PostgreSQL at most.')
  DATABASE_POOL_MAX = 10;

  @Setting(
    integer({ min: 2_000, max: 60_000 }),
    'Milliseconds that a statement may take. It waits for locks for a second less, and a transaction may idle twice as long.',
  )
  DATABASE_STATEMENT_MS = 5_000;
}
