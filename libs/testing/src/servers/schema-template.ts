import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import {
  ownerOf,
  provisionSchema,
  revokePublicAccess,
  sharedServersOfRun,
} from '../../../../tools/test/servers.ts';
import { asAdmin, urlOfDatabase } from './admin.js';

/** A role, its schema and its password. The password of the schema's owner is the same. */
export interface SchemaRole {
  readonly role: string;
  readonly schema: string;
  readonly password: string;
  readonly ownerPassword: string;
}

/** A migration class; TypeORM gives each a name and `up`. */
type Migration = new () => object;

/**
 * The name of a database in which the migrations of a service have run. The first spec file that asks for it in a run
 * of Jest makes it; an advisory lock makes the others wait. Its role and its schema have the name of the database.
 * @param migrate runs the migrations as the owner of the schema
 */
export async function schemaTemplate(
  service: string,
  migrations: readonly Migration[],
  migrate: (databaseUrl: string, schema: string) => Promise<void>,
): Promise<string> {
  const { postgresUrl } = sharedServersOfRun();
  const name = templateName(service, migrations);
  await asAdmin(postgresUrl, async (admin) => {
    await admin.query(`SELECT pg_advisory_lock(hashtext($1))`, [name]);
    const { rowCount } = await admin.query(`SELECT 1 FROM pg_database WHERE datname = $1`, [name]);
    if (rowCount === 0) await createTemplate(admin, postgresUrl, name, migrate);
  });
  return name;
}

/** Two spec files may define services of one name with other migrations. */
function templateName(service: string, migrations: readonly Migration[]): string {
  const sources = migrations.map((migration) => `${migration.name}\n${String(migration)}`);
  return `template_${service}_${createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 12)}`;
}

/** Under another name until its migrations have run: a worker that is killed leaves no half template. */
async function createTemplate(
  admin: pg.Client,
  postgresUrl: string,
  name: string,
  migrate: (databaseUrl: string, schema: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${name}_${process.pid}`;
  const password = randomBytes(18).toString('base64url');
  await admin.query(`CREATE DATABASE ${unfinished}`);
  const url = new URL(urlOfDatabase(postgresUrl, unfinished));
  await asAdmin(url.href, async (owner) => {
    await revokePublicAccess(owner, unfinished);
    await provisionSchema(owner, { role: name, schema: name, password, ownerPassword: password });
  });
  await migrate(Object.assign(url, { username: ownerOf(name), password }).href, name);
  for (const role of [name, ownerOf(name)]) await admin.query(`ALTER ROLE ${role} NOLOGIN`);
  await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

/**
 * Copies a template into a database named as the role, whose owner then owns the schema as if it had migrated it.
 * @param postgresUrl of the superuser
 */
export async function copyDatabase(postgresUrl: string, template: string, role: SchemaRole): Promise<void> {
  await asAdmin(postgresUrl, (admin) => admin.query(`CREATE DATABASE ${role.schema} TEMPLATE ${template}`));
  await asAdmin(urlOfDatabase(postgresUrl, role.schema), async (admin) => {
    await revokePublicAccess(admin, role.schema);
    await admin.query(`ALTER SCHEMA ${template} RENAME TO ${role.schema}`);
    await provisionSchema(admin, role);
    await admin.query(sameRights(template, role));
    await admin.query(`REASSIGN OWNED BY ${ownerOf(template)} TO ${ownerOf(role.role)}`);
    await admin.query(`DROP OWNED BY ${template}, ${ownerOf(template)}`); // rights, not tables
  });
}

/** The role of the copy has the rights of the template's role, and functions that name the schema name the copy. */
function sameRights(template: string, { role, schema }: SchemaRole): string {
  return `DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' LOOP
        EXECUTE format('REVOKE ALL ON %I.%I FROM ${role}', '${schema}', name);
      END LOOP;
      FOR name IN SELECT format('GRANT %s ON %I.%I TO ${role}', privilege_type, table_schema, table_name)
        FROM information_schema.role_table_grants WHERE grantee = '${template}' LOOP
        EXECUTE name;
      END LOOP;
      FOR name IN SELECT oid::regprocedure FROM pg_proc
        WHERE pronamespace = '${schema}'::regnamespace AND proconfig IS NOT NULL LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = ${schema}', name);
      END LOOP;
    END $$`;
}
