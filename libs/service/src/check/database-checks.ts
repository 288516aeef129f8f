import { servedShard, StatefulConfig, type ServiceConfig } from '@vaultsvc/config';
import {
  assertServingRole,
  assertSessionSettings,
  createDataSource,
  hasPendingMigrations,
  type DatabaseSettings,
  type Storage,
} from '@vaultsvc/database';
import type { DataSource } from 'typeorm';
import type { Check } from './check.js';
import type { CheckedService } from './checked-service.js';

/** The databases of a service, each with its role and the version of its schema. */
export function databaseChecks<C extends ServiceConfig>(
  { storage, furtherDatabases = [] }: CheckedService<C>,
  config: C,
): Check[] {
  if (!storage || !(config instanceof StatefulConfig)) return [];
  return [
    databaseCheck('postgres', config, storage, (source) => assertOwnShard(source, config)),
    ...furtherDatabases.map((further) =>
      databaseCheck('further database', further.settingsOf(config), further.storage),
    ),
  ];
}

/** @param further what else must hold of the database */
function databaseCheck(
  name: string,
  config: DatabaseSettings,
  storage: Storage,
  further: (source: DataSource) => Promise<void> = () => Promise.resolve(),
): Check {
  const { DATABASE_SCHEMA: schema } = config;
  return {
    name,
    advice: 'See DATABASE_URL: host, sslmode, role and password; run the program migrate of this release.',
    run: async () => {
      const source = await createDataSource({ ...config, DATABASE_POOL_MAX: 2 }, storage).initialize();
      try {
        await assertServingRole(source, schema);
        await assertSessionSettings(source, config);
        if (await hasPendingMigrations(source))
          throw new Error(`the schema "${schema}" has pending migrations`);
        await further(source);
        const [server] = await source.query<{ version: string; ssl: boolean }[]>(describe);
        const encryption = server?.ssl ? 'TLS' : 'without TLS';
        return `PostgreSQL ${server?.version}, ${encryption}; the schema "${schema}" is up to date`;
      } finally {
        await source.destroy();
      }
    },
  };
}

/** A service without shards has no such table. */
async function assertOwnShard(source: DataSource, config: DatabaseSettings): Promise<void> {
  if (!('SHARD' in config)) return;
  const [claimed] = await source.query<{ shard: number }[]>(`SELECT shard FROM claimed_shard`);
  const shard = servedShard(config);
  if (claimed && claimed.shard !== shard)
    throw new Error(`the database is that of shard ${claimed.shard}, and SHARD is ${shard}`);
}

const describe = `
  SELECT current_setting('server_version') AS version,
         coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS ssl`;
