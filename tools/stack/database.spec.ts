import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type TestServer } from '@vaultsvc/testing/servers';
import pg from 'pg';
import { provisionDatabase } from './database.ts';
import { loadSecrets } from './secrets.ts';
import { readSettings } from './settings.ts';

let folder: string;
let postgres: TestServer;
let secrets: ReturnType<typeof loadSecrets>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-database-'));
  secrets = loadSecrets(readSettings({ VAULTSVC_DIR: folder }, []).paths);
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The URL of a role in the database of the stack. */
function urlOf(username: string, password = ''): string {
  return Object.assign(new URL(postgres.url), { username, password, pathname: '/vaultsvc' }).href;
}

/** The schema of sparks as the previous release made it: its role owns it. */
async function provisionAsBefore(): Promise<void> {
  await query(postgres.url, 'CREATE DATABASE vaultsvc');
  const admin = Object.assign(new URL(postgres.url), { pathname: '/vaultsvc' }).href;
  const password = secrets.database_passwords['sparks'];
  await query(
    admin,
    `CREATE ROLE sparks LOGIN PASSWORD '${password}'; CREATE SCHEMA sparks AUTHORIZATION sparks`,
  );
  await query(
    urlOf('sparks', password),
    `CREATE TABLE sparks.kept (id serial PRIMARY KEY, text text);
     CREATE FUNCTION sparks.one() RETURNS int LANGUAGE sql AS 'SELECT 1';
     INSERT INTO sparks.kept (text) VALUES ('of the previous release')`,
  );
}

describe('OPEN-51: the database of a local stack', () => {
  it('gives the tables of an earlier release to their owner and keeps their rows', async () => {
    await provisionAsBefore();
    await provisionDatabase(postgres.url, secrets);
    await provisionDatabase(postgres.url, secrets); // as every start does
    const runtime = urlOf('sparks', secrets.database_passwords['sparks']);
    const owner = urlOf('sparks_owner', secrets.database_owner_passwords['sparks']);
    expect(await query(runtime, `SELECT tableowner FROM pg_tables WHERE schemaname = 'sparks'`)).toEqual([
      { tableowner: 'sparks_owner' },
    ]);
    expect(await query(runtime, `INSERT INTO kept (text) VALUES ('new') RETURNING id`)).toEqual([{ id: 2 }]);
    expect(await query(runtime, `SELECT text, one() FROM kept WHERE id = 1`)).toEqual([
      { text: 'of the previous release', one: 1 },
    ]);
    await expect(query(runtime, 'ALTER TABLE kept ADD COLUMN more text')).rejects.toThrow('must be owner');
    await query(owner, 'ALTER TABLE kept ADD COLUMN more text');
    await query(owner, 'CREATE TABLE later (id int)');
    expect(await query(runtime, 'INSERT INTO later VALUES (1) RETURNING id')).toEqual([{ id: 1 }]);
    expect(
      await query(
        postgres.url,
        `SELECT rolname FROM pg_roles WHERE rolsuper OR rolbypassrls OR rolcreaterole`,
      ),
    ).toEqual([{ rolname: 'postgres' }]);
  });

  it('lets neither role of a service into another schema', async () => {
    const roles = [
      urlOf('vaults', secrets.database_passwords['vaults']),
      urlOf('vaults_owner', secrets.database_owner_passwords['vaults']),
    ];
    for (const url of roles)
      await expect(query(url, 'SELECT * FROM sparks.kept')).rejects.toThrow('permission denied');
  });
});
