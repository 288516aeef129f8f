import { PostgresUrl, type DatabaseConfig } from '@vaultsvc/config';
import { DataSource, type EntityTarget, type MigrationInterface, type ObjectLiteral } from 'typeorm';
import { ConnectionPool, type ConnectionPoolConfig } from './connection-pool.js';
import { sessionSettings, startupOptions } from './session-settings.js';
import { clientOfWritable } from './writable-server.js';

export type Migration = new () => MigrationInterface;

/** Migrations of a service, and its entities if it uses TypeORM as an ORM: listed as classes, without globbing. */
export interface Storage {
  readonly migrations: readonly Migration[];
  readonly entities?: readonly EntityTarget<ObjectLiteral>[];
}

/** The settings of one connection pool. */
export type DatabaseSettings = Pick<
  DatabaseConfig,
  | 'PROFILE'
  | 'DATABASE_URL'
  | 'DATABASE_SCHEMA'
  | 'DATABASE_POOL_MAX'
  | 'DATABASE_PREPARED'
  | 'DATABASE_STATEMENT_MS'
>;

/** A database of a service besides that of `DATABASE_URL`, with migrations of its own. */
export interface FurtherDatabase<C> {
  readonly storage: Storage;
  settingsOf(this: void, config: C): DatabaseSettings;
}

/** The server cancels a statement at its timeout; silence for a second longer means that the connection is dead. */
const SILENCE_AFTER_MS = 1_000;
/** The migration job waits as long for its connection. */
const CONNECTION_MS = 5_000;
/** A new connection has to be opened and every statement parsed again: not after each short rest. */
const IDLE_MS = 60_000;

/** The data source of a running service, with timeouts for statements, locks and idle transactions (`DATABASE_STATEMENT_MS`). */
export function createDataSource(config: DatabaseSettings, storage: Storage): DataSource {
  const queryMs = config.DATABASE_STATEMENT_MS + SILENCE_AFTER_MS;
  const client = {
    query_timeout: queryMs,
    connectionTimeoutMillis: config.DATABASE_STATEMENT_MS,
    idleTimeoutMillis: IDLE_MS,
    isPrepared: config.DATABASE_PREPARED,
  };
  return build(config, storage, client, sessionSettings(config));
}

/** The data source of the migration job, without timeouts: an index over millions of rows takes longer than a request may. */
export function createMigrationSource(config: DatabaseSettings, storage: Storage): DataSource {
  return build(config, storage, {}, { search_path: config.DATABASE_SCHEMA });
}

function build(
  config: DatabaseSettings,
  storage: Storage,
  client: ConnectionPoolConfig,
  settings: Readonly<Record<string, string>>,
): DataSource {
  const { url, servers } = new PostgresUrl(config.DATABASE_URL.reveal());
  const options = startupOptions(settings);
  return new DataSource({
    type: 'postgres',
    driver: { Pool: ConnectionPool },
    url: url.href,
    schema: config.DATABASE_SCHEMA,
    entities: [...(storage.entities ?? [])] as never[],
    migrations: [...storage.migrations],
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize: config.DATABASE_POOL_MAX,
    extra: {
      connectionTimeoutMillis: CONNECTION_MS,
      ...client,
      ...(servers.length > 1 && { Client: clientOfWritable(servers) }),
      options,
      keepAlive: true,
    },
  });
}
