import type { DatabaseConfig } from '@vaultsvc/config';
import type pg from 'pg';
import { DataSource, type EntityTarget, type MigrationInterface, type ObjectLiteral } from 'typeorm';
import { ConnectionPool } from './connection-pool.js';

export type Migration = new () => MigrationInterface;

/** Migrations of a service, and its entities if it uses TypeORM as an ORM: listed as classes, without globbing. */
export interface Storage {
  readonly migrations: readonly Migration[];
  readonly entities?: readonly EntityTarget<ObjectLiteral>[];
}

/** The settings of one connection pool. */
export type DatabaseSettings = Pick<
  DatabaseConfig,
  'PROFILE' | 'DATABASE_URL' | 'DATABASE_SCHEMA' | 'DATABASE_POOL_MAX' | 'DATABASE_STATEMENT_MS'
>;

/** A database of a service besides that of `DATABASE_URL`, with migrations of its own. */
export interface FurtherDatabase<C> {
  readonly storage: Storage;
  settingsOf(this: void, config: C): DatabaseSettings;
}

/** The server cancels a statement at its timeout; silence for a second longer means that the connection is dead. */
const SILENCE_AFTER_MS = 1_000;
/** A new connection has to be opened and every statement parsed again: not after each short rest. */
const IDLE_MS = 60_000;
/** The lock timeout is shorter than the statement timeout, so that its error names the lock. */
const LOCK_BEFORE_MS = 1_000;

/** The data source of a running service, with timeouts for statements, locks and idle transactions (`DATABASE_STATEMENT_MS`). */
export function createDataSource(config: DatabaseSettings, storage: Storage): DataSource {
  const statementMs = config.DATABASE_STATEMENT_MS;
  const client = { query_timeout: statementMs + SILENCE_AFTER_MS, idleTimeoutMillis: IDLE_MS };
  return build(config, storage, client, [
    // The plan that specs examine. For an array PostgreSQL would plan anew each time, which took longer than a batched burn.
    'plan_cache_mode=force_generic_plan',
    `statement_timeout=${statementMs}`,
    `lock_timeout=${statementMs - LOCK_BEFORE_MS}`,
    `idle_in_transaction_session_timeout=${2 * statementMs}`,
  ]);
}

/** The data source of the migration job, without timeouts: an index over millions of rows takes longer than a request may. */
export function createMigrationSource(config: DatabaseSettings, storage: Storage): DataSource {
  return build(config, storage, {}, []);
}

function build(
  config: DatabaseSettings,
  storage: Storage,
  client: pg.PoolConfig,
  settings: string[],
): DataSource {
  const options = [`search_path=${config.DATABASE_SCHEMA}`, ...settings]
    .map((setting) => `-c ${setting}`)
    .join(' ');
  return new DataSource({
    type: 'postgres',
    driver: { Pool: ConnectionPool },
    url: config.DATABASE_URL.reveal(),
    schema: config.DATABASE_SCHEMA,
    entities: [...(storage.entities ?? [])] as never[],
    migrations: [...storage.migrations],
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize: config.DATABASE_POOL_MAX,
    extra: { ...client, options, connectionTimeoutMillis: 5_000, keepAlive: true },
  });
}
