import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { PostgresUrl, StatefulConfig } from '@vaultsvc/config';
import type { DataSource } from 'typeorm';
import { createDataSource, type DatabaseSettings, type Storage } from './data-source.js';
import { measurePool, measureSchema } from './database-metrics.js';
import { Database } from './database.js';
import { hasPendingMigrations } from './migrate/migrate.js';
import { errorCodeOf } from './postgres-errors.js';
import { assertServingRole } from './serving-role.js';
import { assertSessionSettings } from './session-settings.js';
import { NoWritableServer } from './writable-server.js';

@Injectable()
class DatabaseLifetime implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  /** After the message servers have drained: Nest calls this hook last. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.dataSource.destroy();
  }
}

/** Provides `Database` to a service, connected and with no migration pending. */
@Module({})
export class DatabaseModule {
  static forRoot(config: StatefulConfig, storage: Storage): DynamicModule {
    const database = { provide: Database, useFactory: () => connectDatabase(config, storage) };
    return {
      module: DatabaseModule,
      global: true,
      providers: [database, DatabaseLifetime],
      exports: [Database],
    };
  }
}

/**
 * Connects a pool, with retries for 20 s while PostgreSQL is starting or does not answer. The caller destroys its data source.
 * @throws when a migration is pending, or in production the role may do more than serve
 */
export async function connectDatabase(config: DatabaseSettings, storage: Storage): Promise<Database> {
  const source = await initialize(config, storage);
  try {
    await assertServable(source, config);
  } catch (error) {
    await source.destroy();
    throw error;
  }
  const database = new Database(source);
  const { pool } = database;
  const name = `${new PostgresUrl(config.DATABASE_URL.reveal()).database}.${config.DATABASE_SCHEMA}`;
  pool.beforeEnd(measurePool(name, pool));
  pool.beforeEnd(measureSchema(name, database));
  return database;
}

/** A local PostgreSQL may be entered by its superuser, and has nothing to protect. */
async function assertServable(source: DataSource, config: DatabaseSettings): Promise<void> {
  const { PROFILE, DATABASE_SCHEMA: schema } = config;
  if (PROFILE === 'production') await assertServingRole(source, schema);
  await assertSessionSettings(source, config);
  if (await hasPendingMigrations(source))
    throw new Error(`the schema "${schema}" has pending migrations; run the migrate job first`);
}

const CANNOT_CONNECT_NOW = '57P03';
/** The message is the only mark of this error of pg-pool. */
const UNANSWERED = 'Connection terminated due to connection timeout';
const FIRST_CONNECT_WITHIN_MS = 20_000;
const RETRY_AFTER_MS = 250;

/** Retries while PostgreSQL is starting, recovering from a crash or too busy to answer; any other error is thrown at once. */
async function initialize(config: DatabaseSettings, storage: Storage): Promise<DataSource> {
  const until = Date.now() + FIRST_CONNECT_WITHIN_MS;
  for (;;) {
    try {
      return await createDataSource(config, storage).initialize();
    } catch (error) {
      if (!isPassing(error) || Date.now() > until) throw error;
    }
    await delay(RETRY_AFTER_MS);
  }
}

function isPassing(error: unknown): boolean {
  const code = errorCodeOf(error);
  return (
    code === CANNOT_CONNECT_NOW ||
    code === 'ECONNREFUSED' ||
    error instanceof NoWritableServer ||
    (error instanceof Error && error.message === UNANSWERED)
  );
}
