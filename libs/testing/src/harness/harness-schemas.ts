import { loadConfig, Secret, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource, migrate, type DatabaseSettings, type Storage } from '@vaultsvc/database';
import { copiedSchema, ownerUrlOf, schemaTemplate, testSchema, type TestSchema } from '../servers/index.js';

/** The schemas of one harness, by service. */
export class HarnessSchemas {
  readonly #schemas = new Map<string, Promise<TestSchema>>();
  readonly #migrated = new Map<string, Promise<unknown>>();

  /** The schema of a service; an empty one if the service has none yet. */
  of(service: string): Promise<TestSchema> {
    return this.#schemas.get(service) ?? this.#keep(service, testSchema(service));
  }

  /** Gives a service that has no schema yet a copy of its migrated template. */
  copyTemplate(service: string, storage: Storage, environment: Record<string, string>): void {
    if (this.#schemas.has(service)) return;
    const migrateTemplate = (DATABASE_URL: string, DATABASE_SCHEMA: string) =>
      applyMigrations(storage, loadConfig(StatefulConfig, { ...environment, DATABASE_URL, DATABASE_SCHEMA }));
    const template = schemaTemplate(service, storage.migrations, migrateTemplate);
    this.#migrated.set(
      service,
      this.#keep(
        service,
        template.then((name) => copiedSchema(service, name)),
      ),
    );
  }

  /** Runs the migrations of a service once as the owner, unless its schema was copied from the template. */
  async migrate(service: string, storage: Storage, config: DatabaseSettings): Promise<void> {
    const done = this.#migrated.get(service) ?? applyMigrations(storage, asOwner(config));
    this.#migrated.set(service, done);
    await done;
  }

  async drop(): Promise<void> {
    await Promise.all([...this.#schemas.values()].map(async (schema) => (await schema).drop()));
  }

  #keep(service: string, schema: Promise<TestSchema>): Promise<TestSchema> {
    this.#schemas.set(service, schema);
    return schema;
  }
}

/** A spec's own PostgreSQL is entered by its superuser, who owns all. */
function asOwner(config: DatabaseSettings): DatabaseSettings {
  const url = config.DATABASE_URL.reveal();
  const isSuperuser = new URL(url).username === 'postgres';
  return isSuperuser ? config : { ...config, DATABASE_URL: new Secret(ownerUrlOf(url)) };
}

async function applyMigrations(storage: Storage, config: DatabaseSettings): Promise<void> {
  const source = await createMigrationSource(config, storage).initialize();
  await migrate(source, config.DATABASE_SCHEMA).finally(() => source.destroy());
}
