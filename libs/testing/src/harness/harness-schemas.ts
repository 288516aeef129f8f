import { loadConfig, Secret, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource, migrate, type DatabaseSettings, type Storage } from '@vaultsvc/database';
import type { ServiceDefinition } from '@vaultsvc/service';
import {
  copiedSchemas,
  ownerUrlOf,
  schemaTemplate,
  testSchema,
  type SchemaToMigrate,
  type TablesOfService,
  type TestSchema,
} from '../servers/index.js';

/** The schemas of one harness, by service. */
export class HarnessSchemas {
  readonly #schemas = new Map<string, Promise<TestSchema>>();
  readonly #migrated = new Map<string, Promise<unknown>>();

  /** The schema of a service, or of a shard of it; an empty one if it has none yet. */
  of(service: string, shard = 0): Promise<TestSchema> {
    const key = keyOf(service, shard);
    return this.#schemas.get(key) ?? this.#keep(key, testSchema(service));
  }

  /**
   * Gives services that have no schema yet a copy of their migrated template, in one database.
   * @param environmentOf settings with which the migrations run
   */
  copyTemplate(
    definitions: readonly ServiceDefinition[],
    environmentOf: (service: string) => Record<string, string>,
  ): void {
    const tables = definitions
      .filter(({ name }) => !this.#schemas.has(name))
      .flatMap((definition) => tablesOf(definition, environmentOf(definition.name)));
    const [first] = tables;
    if (!first) return;
    const copies = schemaTemplate(tables).then((template) =>
      copiedSchemas(tables.length === 1 ? first.service : 'services', template),
    );
    for (const { service } of tables) {
      for (const key of [service, `${service} further`]) this.#migrated.set(key, copies);
      void this.#keep(
        service,
        copies.then((all) => all.get(service) as TestSchema),
      );
    }
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

/** The name of the schema of a shard. */
export function keyOf(service: string, shard: number): string {
  return shard === 0 ? service : `${service}@${shard}`;
}

/** Nothing of a service without tables. */
function tablesOf(
  { name, storage, config, furtherDatabases = [] }: ServiceDefinition,
  environment: Record<string, string>,
): TablesOfService[] {
  if (!storage) return [];
  const storages = [storage, ...furtherDatabases.map((further) => further.storage)];
  const run = async ({ databaseUrl, keysDatabaseUrl, schema }: SchemaToMigrate) => {
    const urls = { DATABASE_URL: databaseUrl, KEYS_DATABASE_URL: keysDatabaseUrl, DATABASE_SCHEMA: schema };
    const settings = loadConfig(config, { ...environment, ...urls });
    if (settings instanceof StatefulConfig) await applyMigrations(storage, settings);
    for (const further of furtherDatabases)
      await applyMigrations(further.storage, further.settingsOf(settings));
  };
  return [{ service: name, migrations: storages.flatMap((each) => each.migrations), migrate: run }];
}

/** A spec's own PostgreSQL is entered by its superuser, who owns all. */
function asOwner(config: DatabaseSettings): DatabaseSettings {
  const url = config.DATABASE_URL.reveal();
  const isSuperuser = /^postgres:\/\/postgres[:@]/.test(url);
  return isSuperuser ? config : { ...config, DATABASE_URL: new Secret(ownerUrlOf(url)) };
}

async function applyMigrations(storage: Storage, config: DatabaseSettings): Promise<void> {
  const source = await createMigrationSource(config, storage).initialize();
  try {
    await migrate(source, config.DATABASE_SCHEMA);
  } finally {
    await source.destroy();
  }
}
