import { createHash } from 'node:crypto';
import type pg from 'pg';
import {
  ownerOf,
  provisionSchema,
  revokePublicAccess,
  servicesWithKeys,
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

/** Where the migrations of a service run, as the owner of its schemas. */
export interface SchemaToMigrate {
  readonly databaseUrl: string;
  readonly keysDatabaseUrl: string;
  readonly schema: string;
}

/** Databases in which the migrations of a service have run. Their copies have the same roles and the same schema. */
export interface SchemaTemplate {
  readonly database: string;
  /** Only of a service with keys. */
  readonly keysDatabase: string | undefined;
  readonly role: SchemaRole;
}

/** A migration class; TypeORM gives each a name and `up`. */
type Migration = new () => object;

/**
 * The template of a service. The first spec file that asks for it in a run of Jest makes it; an advisory lock makes the
 * others wait.
 * @param migrate runs the migrations as the owner of the schema
 */
export async function schemaTemplate(
  service: string,
  migrations: readonly Migration[],
  migrate: (at: SchemaToMigrate) => Promise<void>,
): Promise<SchemaTemplate> {
  const { postgresUrl } = sharedServersOfRun();
  const name = templateName(service, migrations);
  const template = {
    database: name,
    keysDatabase: servicesWithKeys.includes(service) ? `${name}_keys` : undefined,
    role: roleOf(name, postgresUrl),
  };
  await asAdmin(postgresUrl, async (admin) => {
    await admin.query(`SELECT pg_advisory_lock(hashtext($1))`, [name]);
    const { rowCount } = await admin.query(`SELECT 1 FROM pg_database WHERE datname = $1`, [name]);
    if (rowCount === 0) await createTemplate(admin, postgresUrl, template, migrate);
  });
  return template;
}

/** Two spec files may define services of one name with other migrations. */
function templateName(service: string, migrations: readonly Migration[]): string {
  const sources = migrations.map((migration) => `${migration.name}\n${String(migration)}`);
  return `template_${service}_${createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 12)}`;
}

/** Every worker knows the password, which nobody knows who does not know that of the run's superuser. */
function roleOf(name: string, postgresUrl: string): SchemaRole {
  const password = createHash('sha256').update(`${name} ${postgresUrl}`).digest('base64url');
  return { role: name, schema: name, password, ownerPassword: password };
}

/** Under another name until its migrations have run: a worker that is killed leaves no half template. */
async function createTemplate(
  admin: pg.Client,
  postgresUrl: string,
  { database, keysDatabase, role }: SchemaTemplate,
  migrate: (at: SchemaToMigrate) => Promise<void>,
): Promise<void> {
  const suffix = `_${process.pid}`;
  const names = [database, ...(keysDatabase ? [keysDatabase] : [])];
  for (const name of names) await createProvisioned(admin, postgresUrl, `${name}${suffix}`, role);
  const urlOf = (name: string) => {
    const url = new URL(urlOfDatabase(postgresUrl, `${name}${suffix}`));
    return Object.assign(url, { username: ownerOf(role.role), password: role.ownerPassword }).href;
  };
  await migrate({
    databaseUrl: urlOf(database),
    keysDatabaseUrl: urlOf(keysDatabase ?? database),
    schema: role.schema,
  });
  // The first name last, by which others find the template.
  for (const name of names.reverse()) await admin.query(`ALTER DATABASE ${name}${suffix} RENAME TO ${name}`);
}

async function createProvisioned(admin: pg.Client, postgresUrl: string, database: string, role: SchemaRole) {
  await admin.query(`CREATE DATABASE ${database}`);
  await asAdmin(urlOfDatabase(postgresUrl, database), async (owner) => {
    await revokePublicAccess(owner, database);
    await provisionSchema(owner, role);
  });
}

/** Copies a database with its schema and the rights in it. */
export async function copyDatabase(admin: pg.Client, template: string, database: string): Promise<void> {
  // File by file: a sixth of the time in which PostgreSQL would write every page to its log, too.
  await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`);
  // The rights of the database itself are not copied.
  await admin.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
}
