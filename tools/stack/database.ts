import type { Secrets } from './secrets.ts';
import type { Client } from 'pg';
import { ownerOf, provisionSchema, restrictConnections, revokePublicAccess } from './servers/schema.ts';
import type { Server } from './servers/server.ts';
import { servicesWithKeys, shardedServices, statefulServices } from './settings.ts';

const database = 'vaultsvc';
/** The default of KEYS_DATABASE_URL. */
const keysDatabase = 'vaultsvc_keys';
const rolesWithKeys = servicesWithKeys.flatMap((name) => [name, ownerOf(name)]);

/**
 * Creates both databases, with a schema and its two roles for each service that uses them. No role can access another schema.
 * @param adminUrl of the superuser, any database
 * @returns the superuser's URL of the database without the keys
 */
export async function provisionDatabase(
  adminUrl: string,
  secrets: Secrets,
  services: readonly string[] = statefulServices,
): Promise<string> {
  await withClient(adminUrl, createDatabases);
  const url = await provisionSchemas(adminUrl, database, services, secrets);
  await provisionSchemas(adminUrl, keysDatabase, servicesWithKeys, secrets);
  await withClient(adminUrl, (admin) => restrictConnections(admin, keysDatabase, rolesWithKeys));
  return url;
}

/**
 * Provisions the PostgreSQL of each shard.
 * @param shardPostgres the name of that of the second shard
 * @param running the servers of the stack
 */
export async function provisionShards(secrets: Secrets, shardPostgres: string, running: readonly Server[]) {
  const urlOf = (named: string) => running.find(({ name }) => name === named)?.url;
  const shardUrl = urlOf(shardPostgres);
  return {
    postgresUrl: await provisionDatabase(urlOf('postgres') ?? '', secrets),
    postgresShardUrl: shardUrl && (await provisionDatabase(shardUrl, secrets, shardedServices)),
  };
}

async function createDatabases(admin: Client) {
  for (const name of [database, keysDatabase]) {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${name}`);
  }
  await admin.query('REVOKE CONNECT ON DATABASE postgres FROM PUBLIC');
}

/**
 * @param name of the database
 * @returns the superuser's URL of the database
 */
async function provisionSchemas(
  adminUrl: string,
  name: string,
  services: readonly string[],
  secrets: Secrets,
): Promise<string> {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await withClient(url.href, async (admin) => {
    await revokePublicAccess(admin, name);
    for (const service of services) {
      await provisionSchema(admin, {
        role: service,
        schema: service,
        password: secrets.database_passwords[service] ?? '',
        ownerPassword: secrets.database_owner_passwords[service] ?? '',
      });
    }
  });
  return url.href;
}

async function withClient(connectionString: string, work: (client: Client) => Promise<void>) {
  // A dynamic import, because this file is loaded before node modules are installed.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
