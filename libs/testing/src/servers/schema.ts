import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { provisionSchema, sharedServersOfRun } from '../../../../tools/test/servers.mjs';

const LOOK_MS = 20;
const LEAVE_LOOKS = 250;

/** A service's own corner of the shared database. */
export interface TestSchema {
  /** Of a role that owns `schema`, finds it first, and may use no other. */
  readonly databaseUrl: string;
  readonly schema: string;
  /** Ends the role's sessions and removes it with all that it owns. */
  drop(): Promise<void>;
}

/**
 * A fresh role and schema, provisioned as the local stack provisions them.
 * @param service goes into the name, for whoever reads PostgreSQL's log
 */
export async function testSchema(service: string): Promise<TestSchema> {
  const { postgresUrl } = sharedServersOfRun();
  const schema = `${service}_${randomBytes(5).toString('hex')}`;
  const password = randomBytes(18).toString('base64url');
  await asAdmin(postgresUrl, (admin) => provisionSchema(admin, { role: schema, schema, password }));
  const url = new URL(postgresUrl);
  url.username = schema;
  url.password = password;
  return {
    databaseUrl: url.href,
    schema,
    drop: () => asAdmin(postgresUrl, (admin) => dropSchema(admin, schema)),
  };
}

async function dropSchema(admin: pg.Client, schema: string): Promise<void> {
  await leave(admin, schema);
  await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1`, [schema]);
  await admin.query(`DROP OWNED BY ${schema} CASCADE`);
  await admin.query(`DROP ROLE ${schema}`);
}

/** A pool ends before its connections have: one that is ended by force then fails the spec that follows. */
async function leave(admin: pg.Client, schema: string): Promise<void> {
  const connected = `SELECT 1 FROM pg_stat_activity WHERE usename = $1`;
  for (let look = 0; look < LEAVE_LOOKS; look++) {
    if ((await admin.query(connected, [schema])).rowCount === 0) return;
    await delay(LOOK_MS);
  }
}

async function asAdmin(connectionString: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
