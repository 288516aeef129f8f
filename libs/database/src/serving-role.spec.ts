import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { databaseConfigOf } from '@vaultsvc/testing/harness';
import { ownerUrlOf, sharedServers, testSchema, type TestSchema } from '@vaultsvc/testing/servers';
import pg from 'pg';
import type { DatabaseSettings } from './data-source.js';
import { connectDatabase } from './database.module.js';

let schema: TestSchema;
let config: DatabaseSettings;
beforeAll(async () => {
  schema = await testSchema('things');
  config = { ...databaseConfigOf(schema), PROFILE: 'production' };
});
afterAll(() => schema.drop());

const connectAs = (url: string, changes: Partial<DatabaseSettings> = {}) =>
  connectDatabase({ ...config, DATABASE_URL: new Secret(url), ...changes }, { migrations: [] });

function asSuperuser(): string {
  const url = new URL(schema.databaseUrl);
  const { username, password } = new URL(sharedServers().postgresAdminUrl);
  return Object.assign(url, { username, password }).href;
}

describe('OPEN-51: in production a service', () => {
  it('serves with its own role', async () => {
    const database = await connectAs(schema.databaseUrl);
    await database.dataSource.destroy();
  });

  it('does not start with the role that owns its tables, and says which URL to use', async () => {
    await expect(connectAs(ownerUrlOf(schema.databaseUrl))).rejects.toThrow(
      /^the role ".*_owner" owns the schema ".*" or tables in it: give the service the URL of its own role, and that of the owner to migrate and restore-fence alone$/,
    );
  });

  it('does not start as a superuser, for whom no right and no policy counts', async () => {
    await expect(connectAs(asSuperuser())).rejects.toThrow('ignores all rights and policies');
  });

  it('does not start with a role that may create tables beside its own', async () => {
    const admin = new pg.Client({ connectionString: asSuperuser() });
    await admin.connect();
    const role = new URL(schema.databaseUrl).username;
    await admin.query(`GRANT CREATE ON SCHEMA "${schema.schema}" TO "${role}"`);
    await expect(connectAs(schema.databaseUrl)).rejects.toThrow('may create tables in the schema');
    await admin.query(`REVOKE CREATE ON SCHEMA "${schema.schema}" FROM "${role}"`);
    await admin.end();
  });

  it('is not asked for with PROFILE=local', async () => {
    const database = await connectAs(ownerUrlOf(schema.databaseUrl), { PROFILE: 'local' });
    await database.dataSource.destroy();
  });
});
