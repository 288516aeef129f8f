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

/** A service whose schema is wanted. */
export interface TablesOfService {
  readonly service: string;
  readonly migrations: readonly Migration[];
  /** Runs the migrations as the owner of the schema. */
  migrate(at: SchemaToMigrate): Promise<void>;
}

/** Databases in which the migrations of services have run. Their copies have the same roles and the same schemas. */
export interface SchemaTemplate {
  readonly database: string;
  /** Only if one of the services has keys. */
  readonly keysDatabase: string | undefined;
  readonly services: readonly (TablesOfService & { readonly role: SchemaRole })[];
}

/** A migration class; TypeORM gives each a name and `up`. */
type Migration = new () => object;

/**
 * The template of one service, or of several in one database. The first spec file that asks for it in a run of Jest makes it; an
 * advisory lock makes the others wait.
 */
export async function schemaTemplate(tables: readonly TablesOfService[]): Promise<SchemaTemplate> {
  const { postgresUrl } = sharedServersOfRun();
  const hash = hashOf(tables);
  const name = `template_${tables.length === 1 ? tables[0]?.service : 'services'}_${hash}`;
  const template = {
    database: name,
    keysDatabase: tables.some(hasKeys) ? `${name}_keys` : undefined,
    services: tables.map((each) => ({ ...each, role: roleOf(`${each.service}_${hash}`, postgresUrl) })),
  };
  await asAdmin(postgresUrl, async (admin) => {
    await admin.query(`SELECT pg_advisory_lock(hashtext($1))`, [name]);
    const { rowCount } = await admin.query(`SELECT 1 FROM pg_database WHERE datname = $1`, [name]);
    if (rowCount === 0) await createTemplate(admin, postgresUrl, template);
  });
  return template;
}

/** Two spec files may define services of one name with other migrations. */
function hashOf(tables: readonly TablesOfService[]): string {
  const sources = tables.flatMap(({ service, migrations }) => [
    service,
    ...migrations.map((migration) => `${migration.name}\n${String(migration)}`),
  ]);
  return createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 12);
}

/** Every worker knows the password, which nobody knows who does not know that of the run's superuser. */
function roleOf(name: string, postgresUrl: string): SchemaRole {
  const password = createHash('sha256').update(`${name} ${postgresUrl}`).digest('base64url');
  return { role: name, schema: name, password, ownerPassword: password };
}

function hasKeys({ service }: { readonly service: string }): boolean {
  return servicesWithKeys.includes(service);
}

/** Under another name until its migrations have run: a worker that is killed leaves no half template. */
async function createTemplate(
  admin: pg.Client,
  postgresUrl: string,
  { database, keysDatabase, services }: SchemaTemplate,
): Promise<void> {
  const suffix = `_${process.pid}`;
  const unfinished = (name: string) => urlOfDatabase(postgresUrl, `${name}${suffix}`);
  await createProvisioned(admin, unfinished(database), services);
  if (keysDatabase) await createProvisioned(admin, unfinished(keysDatabase), services.filter(hasKeys));
  for (const { role, migrate } of services) {
    const urlOf = (name: string) =>
      Object.assign(new URL(unfinished(name)), { username: ownerOf(role.role), password: role.ownerPassword })
        .href;
    const keysDatabaseUrl = urlOf(keysDatabase ?? database);
    await migrate({ databaseUrl: urlOf(database), keysDatabaseUrl, schema: role.schema });
  }
  // The first name last, by which others find the template.
  for (const name of [...(keysDatabase ? [keysDatabase] : []), database])
    await admin.query(`ALTER DATABASE ${name}${suffix} RENAME TO ${name}`);
}

async function createProvisioned(admin: pg.Client, url: string, services: SchemaTemplate['services']) {
  const database = new URL(url).pathname.slice(1);
  await admin.query(`CREATE DATABASE ${database}`);
  await asAdmin(url, async (owner) => {
    await revokePublicAccess(owner, database);
    for (const { role } of services) await provisionSchema(owner, role);
  });
}

/** Copies a database with its schemas and the rights in them. */
export async function copyDatabase(admin: pg.Client, template: string, database: string): Promise<void> {
  // File by file: a sixth of the time in which PostgreSQL would write every page to its log, too.
  await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`);
  // The rights of the database itself are not copied.
  await admin.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
}
