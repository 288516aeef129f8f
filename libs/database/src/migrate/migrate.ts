import { ConfigError, loadConfig, StatefulConfig } from '@vaultsvc/config';
import { MigrationExecutor, type DataSource } from 'typeorm';
import {
  createMigrationSource,
  type DatabaseSettings,
  type FurtherDatabase,
  type Storage,
} from '../data-source.js';

/**
 * The migration job of a service: `node dist/migrate.js`, run before the new version starts.
 * @param further the service's further databases, and the settings class that names them
 */
export async function runMigrations<C extends StatefulConfig = StatefulConfig>(
  storage: Storage,
  further?: { readonly config: new () => C; readonly databases: readonly FurtherDatabase<C>[] },
): Promise<void> {
  try {
    const config = loadConfig(further?.config ?? StatefulConfig);
    await migrateAsConfigured(storage, config, config.DATABASE_SCHEMA);
    for (const database of further?.databases ?? []) {
      const settings = database.settingsOf(config as C);
      const name = new URL(settings.DATABASE_URL.reveal()).pathname.slice(1);
      await migrateAsConfigured(database.storage, settings, `${name}.${settings.DATABASE_SCHEMA}`);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`cannot migrate. ${error.message}\n`); // a stack would hide which settings to mend
    process.exitCode = 1;
  }
}

async function migrateAsConfigured(storage: Storage, config: DatabaseSettings, title: string): Promise<void> {
  const source = await createMigrationSource(config, storage).initialize();
  try {
    const applied = await migrate(source, config.DATABASE_SCHEMA);
    process.stdout.write(`${title}: ${applied.length} migrations applied\n`);
  } finally {
    await source.destroy();
  }
}

/**
 * Whether migrations of the source have not run. TypeORM's `showMigrations` would create a missing table of migrations,
 * which the role of a running service may not.
 */
export async function hasPendingMigrations(source: DataSource): Promise<boolean> {
  return (await new MigrationExecutor(source).getPendingMigrations()).length > 0;
}

/** Applies what is pending under an advisory lock, so that two jobs at once do the work once. */
export async function migrate(source: DataSource, schema: string): Promise<string[]> {
  const lock = source.createQueryRunner();
  try {
    await lock.query(`SELECT pg_advisory_lock(hashtextextended($1, 0))`, [`vaultsvc:migrate:${schema}`]);
    return (await source.runMigrations()).map((migration) => migration.name);
  } finally {
    await lock.query(`SELECT pg_advisory_unlock_all()`);
    await lock.release();
  }
}
