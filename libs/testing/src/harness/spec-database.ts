import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createDataSource, Database } from '@vaultsvc/database';
import { ownerUrlOf, testSchema, type TestSchema } from '../servers/index.js';
import { wireSettings } from '../wire/index.js';

const noStorage = { migrations: [] };

export interface SpecDatabase {
  readonly schema: TestSchema;
  readonly database: Database;
  close(): Promise<void>;
}

/** For specs of the database library: a schema of its own with the given tables, and a service's connection to it. */
export async function startSpecDatabase(
  name: string,
  tables: readonly string[],
  settings: object = {},
): Promise<SpecDatabase> {
  const schema = await testSchema(name);
  const owned = databaseConfigOf({ ...schema, databaseUrl: ownerUrlOf(schema.databaseUrl) });
  const owner = await createDataSource(owned, noStorage).initialize();
  for (const table of tables) await owner.query(table);
  await owner.destroy();
  const source = await createDataSource(databaseConfigOf(schema, settings), noStorage).initialize();
  const close = async () => {
    await source.destroy();
    await schema.drop();
  };
  return { schema, database: new Database(source), close };
}

/** A configuration with two connections to the schema. */
export function databaseConfigOf({ databaseUrl, schema }: TestSchema, settings = {}): StatefulConfig {
  return loadConfig(StatefulConfig, {
    NATS_URL: 'nats://127.0.0.1:4222',
    PROFILE: 'local',
    ...wireSettings('stranger'),
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: schema,
    DATABASE_POOL_MAX: '2',
    ...settings,
  });
}
