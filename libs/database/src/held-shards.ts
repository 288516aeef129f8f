import type { Queryable } from './statement.js';
import { statement } from './statement.js';

/** The shards of accounts whose rows a database has: a table of services with shards. */
export const CREATE_HELD_SHARDS_SQL = `CREATE TABLE held_shards (shard integer PRIMARY KEY)`;

/** The database is that of other shards than the settings say. */
export class ForeignShards extends Error {
  override readonly name = 'ForeignShards';
}

/**
 * Notes the shards that a service is to serve from this database. They may become more, and never fewer.
 * @throws ForeignShards if the database has rows of a shard that is not among them: DATABASE_URL or SHARDS is wrong
 */
export async function holdShards(database: Queryable, shards: readonly number[]): Promise<void> {
  const rows = await database.query<{ shard: number }>(hold, [shards]);
  const held = rows.map(({ shard }) => shard);
  if (held.every((shard) => shards.includes(shard))) return;
  throw new ForeignShards(
    `the database holds the shards ${held.join()}, and SHARDS names ${shards.join()}: it must name all of them`,
  );
}

const hold = statement(
  'database.hold-shards',
  `WITH held AS (SELECT shard FROM held_shards ORDER BY shard),
        added AS (
          INSERT INTO held_shards (shard) SELECT unnest($1::int[])
           WHERE NOT EXISTS (SELECT 1 FROM held WHERE shard <> ALL($1::int[])) ON CONFLICT DO NOTHING)
   SELECT shard FROM held`,
);
