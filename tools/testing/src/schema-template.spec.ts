import { describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource, migrate, type Storage } from '@vaultsvc/database';
import {
  copiedSchemas,
  ownerUrlOf,
  schemaTemplate,
  testSchema,
  type TablesOfService,
  type TestSchema,
} from '@vaultsvc/testing/servers';
import { wireSettings } from '@vaultsvc/testing/wire';
import pg from 'pg';
import { storage as auth } from '../../../apps/auth/src/storage.js';
import { storage as forge } from '../../../apps/forge/src/storage.js';
import { storage as integrations } from '../../../apps/integrations/src/storage.js';
import { storage as notify } from '../../../apps/notify/src/storage.js';
import { storage as reporting } from '../../../apps/reporting/src/storage.js';
import { storage as sparks } from '../../../apps/sparks/src/storage.js';
import { storage as vaults } from '../../../apps/vaults/src/storage.js';

const storages: Record<string, Storage> = { auth, forge, integrations, notify, reporting, sparks, vaults };

async function runMigrations(storage: Storage, DATABASE_URL: string, DATABASE_SCHEMA: string): Promise<void> {
  const env = { PROFILE: 'local', NATS_URL: 'nats://127.0.0.1:4222', ...wireSettings('desk') };
  const config = loadConfig(StatefulConfig, { ...env, DATABASE_URL, DATABASE_SCHEMA });
  const source = await createMigrationSource(config, storage).initialize();
  try {
    await migrate(source, DATABASE_SCHEMA);
  } finally {
    await source.destroy();
  }
}

const CATALOGS = [
  `SELECT relname, relkind, relpersistence, reloptions, relacl::text, relowner::regrole::text AS owner
   FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY relname`,
  `SELECT table_name, column_name, ordinal_position, data_type, column_default, is_nullable, identity_generation,
     generation_expression, collation_name FROM information_schema.columns
   WHERE table_schema = current_schema() ORDER BY 1, 3`,
  `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) AS definition
   FROM pg_constraint WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`,
  `SELECT proname, prosrc, proowner::regrole::text AS owner FROM pg_proc
   WHERE pronamespace = current_schema()::regnamespace ORDER BY 1`,
  `SELECT tgname, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
   WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal ORDER BY 1, 2`,
  `SELECT nspname, nspacl::text, nspowner::regrole::text AS owner FROM pg_namespace
   WHERE nspname IN (current_schema(), 'public') ORDER BY nspname = 'public'`,
  `SELECT datacl::text, datcollate, datctype, pg_encoding_to_char(encoding) AS encoding
   FROM pg_database WHERE datname = current_database()`,
  `SELECT rolsuper, rolcreatedb, rolcreaterole, rolcanlogin, rolbypassrls,
     (SELECT array_agg(setconfig) FROM pg_db_role_setting WHERE setrole = pg_roles.oid)::text AS settings
   FROM pg_roles WHERE rolname = current_user`,
  `SELECT id, name FROM migrations ORDER BY id`,
];

/** What PostgreSQL has noted of a schema, the schema's own name replaced. */
async function catalogOf({ databaseUrl, schema }: TestSchema): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const rows: unknown[] = [];
    for (const text of CATALOGS) rows.push((await client.query(text)).rows);
    return JSON.parse(JSON.stringify(rows).replaceAll(schema, 'this_schema')) as unknown[];
  } finally {
    await client.end();
  }
}

const tablesOf = ([service, storage]: [string, Storage]): TablesOfService => ({
  service,
  migrations: storage.migrations,
  migrate: ({ databaseUrl, schema }) => runMigrations(storage, databaseUrl, schema),
});

async function copyOf(service: string, storage: Storage): Promise<TestSchema> {
  const template = await schemaTemplate([tablesOf([service, storage])]);
  return (await copiedSchemas(service, template)).get(service) as TestSchema;
}

describe('A schema that is copied from a template', () => {
  it.each(Object.entries(storages))('is as the migrations of %s make it', async (service, storage) => {
    const [migrated, copied] = await Promise.all([testSchema(service), copyOf(service, storage)]);
    await runMigrations(storage, ownerUrlOf(migrated.databaseUrl), migrated.schema);
    const catalog = await catalogOf(migrated);
    expect(catalog.flat().length).toBeGreaterThan(20);
    expect(await catalogOf(copied)).toEqual(catalog);
    await Promise.all([migrated.drop(), copied.drop()]);
  });

  it('is the same beside those of the other services in one database', async () => {
    const all = await copiedSchemas('all', await schemaTemplate(Object.entries(storages).map(tablesOf)));
    for (const [service, storage] of Object.entries(storages)) {
      const alone = await copyOf(service, storage);
      expect(await catalogOf(all.get(service) as TestSchema)).toEqual(await catalogOf(alone));
      await alone.drop();
    }
    await Promise.all([...all.values()].map((schema) => schema.drop()));
  });

  it('is made from one template by spec files that start at the same time', async () => {
    class CreateOnce1700000000000 {
      async up(runner: { query(text: string): Promise<unknown> }) {
        await runner.query('CREATE TABLE things (id int)');
      }
      async down() {}
    }
    const storage: Storage = { migrations: [CreateOnce1700000000000] };
    const copies = await Promise.all(Array.from({ length: 4 }, () => copyOf('things', storage)));
    const catalogs = await Promise.all(copies.map(catalogOf));
    expect(catalogs).toEqual(Array.from({ length: 4 }, () => catalogs[0]));
    await Promise.all(copies.map((copy) => copy.drop()));
  });

  it('cannot be reached by the role of another service, and is gone once dropped', async () => {
    const [sparksCopy, vaultsCopy] = await Promise.all([copyOf('sparks', sparks), copyOf('vaults', vaults)]);
    const foreign = new URL(vaultsCopy.databaseUrl);
    foreign.pathname = new URL(sparksCopy.databaseUrl).pathname;
    const client = new pg.Client({ connectionString: foreign.href });
    await client.connect();
    await expect(client.query(`SELECT * FROM ${sparksCopy.schema}.migrations`)).rejects.toThrow(
      /permission denied/,
    );
    await client.end();
    await Promise.all([sparksCopy.drop(), vaultsCopy.drop()]);
    const again = new pg.Client({ connectionString: sparksCopy.databaseUrl });
    await expect(again.connect()).rejects.toThrow();
  });
});
