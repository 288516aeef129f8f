import { ConfigError, loadConfig, StatefulConfig } from '@vaultsvc/config';
import { MigrationExecutor, type DataSource } from 'typeorm';
import { createMigrationSource, type Storage } from '../data-source.js';

/** The migration job of a service: `node dist/migrate.js`, run before the new version starts. */
export async function runMigrations(storage: Storage): Promise<void> {
  try {
    await migrateAsConfigured(storage, loadConfig(StatefulConfig));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`cannot migrate. ${error.message}\n`); // a stack would hide which settings to mend
    process.exitCode = 1;
  }
}

async function migrateAsConfigured(storage: Storage, config: StatefulConfig): Promise<void> {
  const source = await createMigrationSource(config, storage).initialize();
  try {
    const applied = await migrate(source, config.DATABASE_SCHEMA);
    process.stdout.write(`${config.DATABASE_SCHEMA}: ${applied.length} migrations applied\n`);
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
