import { revokePublicAccess, provisionSchema } from './servers/schema.mjs';
import { statefulServices } from './settings.mjs';

const database = 'vaultsvc';

/**
 * Creates the database, with a schema and its two roles for each stateful service. No role can access another schema.
 * @param {string} adminUrl of the superuser, any database
 * @param {import('./secrets.mjs').Secrets} secrets
 * @returns {Promise<string>} the superuser's URL of that database
 */
export async function provisionDatabase(adminUrl, secrets) {
  const url = new URL(adminUrl);
  await withClient(adminUrl, createDatabase);
  url.pathname = `/${database}`;
  await withClient(url.href, async (admin) => {
    await revokePublicAccess(admin, database);
    for (const name of statefulServices) {
      await provisionSchema(admin, {
        role: name,
        schema: name,
        password: secrets.database_passwords[name] ?? '',
        ownerPassword: secrets.database_owner_passwords[name] ?? '',
      });
    }
  });
  return url.href;
}

/** @param {import('pg').Client} admin */
async function createDatabase(admin) {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0) await admin.query(`CREATE DATABASE ${database}`);
  await admin.query('REVOKE CONNECT ON DATABASE postgres FROM PUBLIC');
}

/**
 * @param {string} connectionString
 * @param {(client: import('pg').Client) => Promise<void>} work
 */
async function withClient(connectionString, work) {
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
