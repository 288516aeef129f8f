import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ownerOf, provisionSchema, sharedServersOfRun } from '../../../../tools/test/servers.ts';
import { asAdmin, urlOfDatabase } from './admin.js';
import { dropKeys, provisionKeys, urlOfKeys } from './keys-schema.js';
import { copyDatabase, type SchemaRole, type SchemaTemplate } from './schema-template.js';

const POLL_MS = 20;
const POLLS_MAX = 250;

/** The role and the schema of one service in one spec file. */
export interface TestSchema {
  /** Connects as the role of the running service: it reads and writes rows of `schema` and may use no other. */
  readonly databaseUrl: string;
  /** Connects as this role to its schema in the keys database, if its service has keys there. */
  readonly keysDatabaseUrl: string;
  /** Connects as the superuser to the database of `schema`, with the same search path. */
  readonly adminUrl: string;
  readonly schema: string;
  /** Ends the sessions of both roles and removes them with all that they own. */
  drop(): Promise<void>;
}

/**
 * A fresh role and an empty schema in the database `vaultsvc`, provisioned as the local stack provisions them.
 * @param service starts the name, which PostgreSQL's log shows
 */
export async function testSchema(service: string): Promise<TestSchema> {
  const adminUrl = sharedServersOfRun().postgresUrl;
  const role = newRole(service);
  await asAdmin(adminUrl, (admin) => provisionSchema(admin, role));
  await provisionKeys(service, role);
  return {
    ...accessOf(adminUrl, role),
    drop: async () => {
      await dropKeys(service, role.role);
      await asAdmin(adminUrl, (admin) => dropRole(admin, role.schema));
    },
  };
}

/**
 * The schemas of a template in a database of their own, as the migrations of its services made them. All copies have the roles of the
 * template: PostgreSQL copies files in a tenth of the time in which it would rename a schema and give it to other roles.
 * @param name starts the name of the database, which PostgreSQL's log shows
 * @returns by service; `drop` of each removes the database with all of them
 */
export async function copiedSchemas(
  name: string,
  template: SchemaTemplate,
): Promise<ReadonlyMap<string, TestSchema>> {
  const { postgresUrl } = sharedServersOfRun();
  const { services, database: source, keysDatabase: keysSource } = template;
  const database = `${name}_${randomBytes(5).toString('hex')}`;
  const keysDatabase = `${database}_keys`;
  await asAdmin(postgresUrl, async (admin) => {
    await copyDatabase(admin, source, database);
    if (keysSource) await copyDatabase(admin, keysSource, keysDatabase);
  });
  const dropAll = async (admin: pg.Client) => {
    const roles = services.map(({ role }) => role.role);
    await untilDisconnected(admin, roles, database);
    await admin.query(`DROP DATABASE ${database} (FORCE)`);
    if (keysSource) await admin.query(`DROP DATABASE ${keysDatabase} (FORCE)`);
  };
  let dropped: Promise<void> | undefined;
  const drop = () => (dropped ??= asAdmin(postgresUrl, dropAll));
  const schemaOf = ({ role }: { role: SchemaRole }) => {
    const access = accessOf(urlOfDatabase(postgresUrl, database), role);
    return { ...access, keysDatabaseUrl: urlOfDatabase(access.databaseUrl, keysDatabase), drop };
  };
  return new Map(services.map((each) => [each.service, schemaOf(each)]));
}

/** A role is named as its schema. */
function newRole(service: string): SchemaRole {
  const name = `${service}_${randomBytes(5).toString('hex')}`;
  const password = randomBytes(18).toString('base64url');
  return { role: name, schema: name, password, ownerPassword: password };
}

function accessOf(adminUrl: string, { schema, password }: SchemaRole) {
  const url = new URL(adminUrl);
  url.username = schema;
  url.password = password;
  const admin = new URL(adminUrl);
  admin.searchParams.set('options', `-c search_path=${schema}`);
  return { databaseUrl: url.href, keysDatabaseUrl: urlOfKeys(url.href), adminUrl: admin.href, schema };
}

/** The same database, entered by the owner of the tables instead of the running service. */
export function ownerUrlOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = ownerOf(url.username);
  return url.href;
}

async function dropRole(admin: pg.Client, role: string): Promise<void> {
  await untilDisconnected(admin, [role], 'vaultsvc');
  const roles = [role, ownerOf(role)];
  await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ANY ($1)`, [
    roles,
  ]);
  await retryDeadlock(() => admin.query(`DROP OWNED BY ${roles.join()} CASCADE`));
  await retryDeadlock(() => admin.query(`DROP ROLE ${roles.join()}`));
}

const DEADLOCK_DETECTED = '40P01';

/** Spec files that end at the same time lock the catalogs that they share in different orders. */
async function retryDeadlock(drop: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      return void (await drop());
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK_DETECTED) throw error;
    }
}

/** A pool ends before its connections do; terminating one of them then fails the next spec file. */
async function untilDisconnected(admin: pg.Client, roles: string[], database: string): Promise<void> {
  const connected = `SELECT 1 FROM pg_stat_activity WHERE usename = ANY ($1) AND datname = $2`;
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    if ((await admin.query(connected, [roles, database])).rowCount === 0) return;
    await delay(POLL_MS);
  }
}
