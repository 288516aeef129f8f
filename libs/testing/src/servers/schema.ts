import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { provisionSchema, sharedServersOfRun } from '../../../../tools/test/servers.mjs';
import { asAdmin, urlOfDatabase } from './admin.js';
import { copyDatabase } from './schema-template.js';

const POLL_MS = 20;
const POLLS_MAX = 250;

/** The role and the schema of one service in one spec file. */
export interface TestSchema {
  /** Connects as a role that owns `schema`, has it as its search path, and may use no other. */
  readonly databaseUrl: string;
  /** Connects as the superuser to the database of `schema`. */
  readonly adminUrl: string;
  readonly schema: string;
  /** Ends the role's sessions and removes it with all that it owns. */
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
  return {
    ...accessOf(adminUrl, role),
    drop: () => asAdmin(adminUrl, (admin) => dropRole(admin, role.schema)),
  };
}

/**
 * A fresh role and its schema with the tables of a template, in a database of its own.
 * @param service starts the name, which PostgreSQL's log shows
 * @param template a database that `schemaTemplate` made
 */
export async function copiedSchema(service: string, template: string): Promise<TestSchema> {
  const { postgresUrl } = sharedServersOfRun();
  const role = newRole(service);
  const adminUrl = urlOfDatabase(postgresUrl, role.schema);
  await copyDatabase(postgresUrl, template, role);
  const drop = async (admin: pg.Client) => {
    await untilDisconnected(admin, role.schema);
    await admin.query(`DROP DATABASE ${role.schema} (FORCE)`);
    await admin.query(`DROP ROLE ${role.schema}`);
  };
  return { ...accessOf(adminUrl, role), drop: () => asAdmin(postgresUrl, drop) };
}

/** A role is named as its schema. */
function newRole(service: string): { role: string; schema: string; password: string } {
  const name = `${service}_${randomBytes(5).toString('hex')}`;
  return { role: name, schema: name, password: randomBytes(18).toString('base64url') };
}

function accessOf(adminUrl: string, { schema, password }: { schema: string; password: string }) {
  const url = new URL(adminUrl);
  url.username = schema;
  url.password = password;
  return { databaseUrl: url.href, adminUrl, schema };
}

async function dropRole(admin: pg.Client, role: string): Promise<void> {
  await untilDisconnected(admin, role);
  await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1`, [role]);
  await admin.query(`DROP OWNED BY ${role} CASCADE`);
  await admin.query(`DROP ROLE ${role}`);
}

/** A pool ends before its connections do; terminating one of them then fails the next spec file. */
async function untilDisconnected(admin: pg.Client, role: string): Promise<void> {
  const connected = `SELECT 1 FROM pg_stat_activity WHERE usename = $1`;
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    if ((await admin.query(connected, [role])).rowCount === 0) return;
    await delay(POLL_MS);
  }
}
