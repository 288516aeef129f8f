import { ConfigError, DatabaseConfig, loadServiceConfig, PostgresUrl } from '@vaultsvc/config';
import { MigrationExecutor, type DataSource, type MigrationInterface } from 'typeorm';
import {
  createMigrationSource,
  type DatabaseSettings,
  type FurtherDatabase,
  type Storage,
} from '../data-source.js';
import { errorCodeOf } from '../postgres-errors.js';

/**
 * The migration job of a service: `node dist/migrate.js`, run before the new version starts. It reads the settings of databases alone:
 * the job with the password of the owner holds no other secret.
 * @param further the service's further databases, and the settings class that names them
 */
export async function runMigrations<C extends DatabaseConfig = DatabaseConfig>(
  service: string,
  storage: Storage,
  further?: { readonly config: new () => C; readonly databases: readonly FurtherDatabase<C>[] },
): Promise<void> {
  try {
    const config = loadServiceConfig(service, further?.config ?? DatabaseConfig);
    await migrateAsConfigured(storage, config, config.DATABASE_SCHEMA);
    for (const database of further?.databases ?? []) {
      const settings = database.settingsOf(config as C);
      const { database: name } = new PostgresUrl(settings.DATABASE_URL.reveal());
      await migrateAsConfigured(database.storage, settings, `${name}.${settings.DATABASE_SCHEMA}`);
    }
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ReplacedMigrations)) throw error;
    process.stderr.write(`cannot migrate. ${error.message}\n`); // a stack would hide what to do
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

const UNDEFINED_TABLE = '42P01';

/**
 * Whether migrations of the source have not run, by one look into their table. TypeORM would first search the information schema, which
 * costs a new connection tens of milliseconds; its `showMigrations` would create a missing table, for which the role of a running
 * service has no right.
 */
export async function hasPendingMigrations(source: DataSource): Promise<boolean> {
  const applied = await appliedMigrations(source);
  return source.migrations.some((migration) => !applied.includes(nameOf(migration)));
}

async function appliedMigrations(source: DataSource): Promise<string[]> {
  const { driver } = source;
  const table = [driver.schema ?? 'public', 'migrations'].map((name) => driver.escape(name)).join('.');
  try {
    const rows = await source.query<{ name: string }[]>(`SELECT name FROM ${table}`);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (errorCodeOf(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/** Migrations that this build replaced have run in the schema. */
class ReplacedMigrations extends Error {
  override readonly name = 'ReplacedMigrations';

  constructor(schema: string, migration: string) {
    super(
      `The data of "${schema}" is of an earlier build, whose migrations (${migration}) this one has replaced; ` +
        `it cannot be migrated, so start over without it: npm start -- --fresh`,
    );
  }
}

/**
 * Applies what is pending under an advisory lock, so that two jobs at once do the work once.
 * @throws ReplacedMigrations
 */
export async function migrate(source: DataSource, schema: string): Promise<string[]> {
  const lock = source.createQueryRunner();
  try {
    await lock.query(`SELECT pg_advisory_lock(hashtextextended($1, 0))`, [`vaultsvc:migrate:${schema}`]);
    await assertNoneReplaced(source, schema);
    return (await source.runMigrations()).map((migration) => migration.name);
  } finally {
    await lock.query(`SELECT pg_advisory_unlock_all()`);
    await lock.release();
  }
}

/**
 * A migration that has run and is newer than all of this build is of a later release, which is being rolled back; an older one
 * that this build does not have was replaced.
 */
async function assertNoneReplaced(source: DataSource, schema: string): Promise<void> {
  const known = source.migrations.map(nameOf);
  const newestMs = Math.max(...known.map(timestampOf));
  const applied = await new MigrationExecutor(source).getExecutedMigrations();
  const replaced = applied.find(({ name }) => !known.includes(name) && timestampOf(name) < newestMs);
  if (replaced) throw new ReplacedMigrations(schema, replaced.name);
}

function nameOf(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
}

/** The name of a migration ends in its time in milliseconds. */
function timestampOf(name: string): number {
  return Number(name.slice(-13));
}
