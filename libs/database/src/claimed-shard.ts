import { statement, type Queryable } from './statement.js';

/** A table of services with shards, with one row: the shard of accounts whose rows the database has. */
export const CREATE_CLAIMED_SHARD_SQL = `CREATE TABLE claimed_shard (
   is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
   shard integer NOT NULL
 )`;

/** The database is not known to be that of the shard that the settings name. */
export class ShardNotClaimed extends Error {
  override readonly name = 'ShardNotClaimed';
}

/**
 * Claims the database for a shard, for ever. Its primary key decides between instances that start at once.
 * @throws ShardNotClaimed if it is that of another shard (DATABASE_URL or SHARD is wrong), or while another instance claims it
 */
export async function claimShard(database: Queryable, shard: number): Promise<void> {
  const [row] = await database.query<{ shard: number }>(claim, [shard]);
  if (!row) throw new ShardNotClaimed('another instance claims the database at this moment');
  if (row.shard !== shard)
    throw new ShardNotClaimed(`the database is that of shard ${row.shard}, and SHARD is ${shard}`);
}

const claim = statement(
  'database.claim-shard',
  `WITH claimed AS (INSERT INTO claimed_shard (shard) VALUES ($1) ON CONFLICT DO NOTHING RETURNING shard)
   SELECT shard FROM claimed UNION ALL SELECT shard FROM claimed_shard`,
);
